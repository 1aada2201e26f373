/** An instant of a clock that nobody sets, which all threads of the process see, also directly after the process stood still. */
export type SharedDeadline = SharedArrayBuffer;

export const createSharedDeadline = (): SharedDeadline => new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);

/** Sets the instant to `inMs` milliseconds from now. With zero or less it has passed. */
export function setDeadline(deadline: SharedDeadline, inMs: number): void {
  Atomics.store(new BigInt64Array(deadline), 0, process.hrtime.bigint() + BigInt(Math.round(inMs * 1e6)));
}

export const isAhead = (deadline: SharedDeadline): boolean =>
  process.hrtime.bigint() < Atomics.load(new BigInt64Array(deadline), 0);
