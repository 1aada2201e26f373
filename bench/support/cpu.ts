/** Processor time of this process so far, all threads included, in milliseconds: what a wait for other programs does not lengthen. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
