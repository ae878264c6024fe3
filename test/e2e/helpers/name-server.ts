import dns from 'node:dns'
import { ENTERPRISE } from './hosts.ts'

// Preloaded where a workflow names the server of an enterprise: its entry in /etc/hosts, for one process.
dns.lookup = new Proxy(dns.lookup, {
  apply: (lookup, self, [name, ...rest]) =>
    Reflect.apply(lookup, self, [name === ENTERPRISE ? '127.0.0.1' : name, ...rest]),
})
