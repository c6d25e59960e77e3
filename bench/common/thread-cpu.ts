/**
 * CPU time of this thread so far, user and system, ms. Linux brings the count of a running thread up to date only when
 * that of its process is read: without it the count moves by ticks of milliseconds.
 */
export function threadCpuMs(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
