/** Written here, so that no file is read at start; a test holds it and package.json together. */
export const VERSION = '1.1.0'
