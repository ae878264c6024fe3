declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
  export { EnvHttpProxyAgent as default } from 'undici'
}
declare module 'undici/lib/dispatcher/dispatcher1-wrapper.js' {
  export { Dispatcher1Wrapper as default } from 'undici'
}
