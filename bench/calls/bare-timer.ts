/** How late a timer of 2 ms is in a process of its own: what the machine alone does to a timer while bench:calls measures. */
const late: number[] = [];
let dueMs = performance.now() + 2;

function tick(): void {
  const nowMs = performance.now();
  late.push(nowMs - dueMs);
  dueMs = Math.max(dueMs + 2, nowMs);
  setTimeout(tick, Math.max(0, dueMs - nowMs));
}

setTimeout(tick, 2);
process.on('message', (message) => {
  if (message === 'reset') late.length = 0;
  else {
    const sorted = late.toSorted((a, b) => a - b);
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    process.send!({ p50: at(0.5), p99: at(0.99) });
  }
});
process.on('disconnect', () => process.exit(0));
process.send!('ready');
