import type * as Crypto from 'node:crypto'

/** Node's cryptography, loaded when it is first used: 10 ms, a tenth of a start, that the first request need not wait for. */
export const crypto = (): typeof Crypto => process.getBuiltinModule('node:crypto')
