import meta from '../package.json' with { type: 'json' }

/** Names the action in the log and in its user agent. */
export const VERSION = meta.version
