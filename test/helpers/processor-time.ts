/** Of this thread, in ms, since a busy machine makes all else wait. */
export function processorMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  return process.threadCpuUsage(before).user / 1000
}
