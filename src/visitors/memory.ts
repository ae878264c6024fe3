import { setFlagsFromString } from 'node:v8'

/**
 * Keeps the peak of memory, which V8 lets grow in a loop of requests, near that of a single one. Comes before the first
 * request. It trades speed that a process of seconds, most of them spent waiting, has no use for:
 * - optimising what is warm takes more memory for a moment than all rows: 15 MB for the HTTP parser behind `fetch`,
 *   which is WebAssembly, and 5 MB for JavaScript,
 * - the heap's nursery would grow from 1 to 16 MB in the time of a hundred requests.
 */
export function staySmall(): void {
  loadFetch()
  setFlagsFromString('--wasm-tiering-budget=1000000000')
  setFlagsFromString('--no-opt')
  setFlagsFromString('--semi-space-growth-factor=1')
}

/** New settings make V8 refuse Node's cached code. What is behind `fetch` is large, and loaded when first touched. */
function loadFetch(): void {
  void globalThis.Response
}
