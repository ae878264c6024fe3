// What the post step does is in the main step's bundle.
await import(/* webpackIgnore: true */ './index.js')

export {}
