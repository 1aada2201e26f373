/** A seeded random number generator from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Kinds of damage: changed bytes, missing, duplicated or moved pieces, a truncated file, numbers that are too large.
 */
const changes: ReadonlyArray<(file: Buffer, at: number, length: number, random: () => number) => Buffer> = [
  (file, at, length, random) => {
    const changed = Buffer.from(file);
    for (let index = at; index < Math.min(file.length, at + length); index += 3) changed[index] = random() * 256;
    return changed;
  },
  (file, at, length) => Buffer.concat([file.subarray(0, at), file.subarray(at + length)]),
  (file, at, length) => Buffer.concat([file.subarray(0, at + length), file.subarray(at)]),
  (file, at) => file.subarray(0, at),
  (file, at, length) => Buffer.concat([file.subarray(0, at), Buffer.alloc(length, '9'), file.subarray(at)]),
  (file, at, length) => Buffer.concat([file.subarray(at, at + length), file]),
];

/** A copy of the file, damaged in one to four places. */
export function mutated(file: Buffer, seed: number): Buffer {
  const random = randomFrom(seed);
  let result = file;
  for (let count = 1 + Math.floor(random() * 4); count > 0 && result.length > 0; count -= 1) {
    const change = changes[Math.floor(random() * changes.length)]!;
    result = change(result, Math.floor(random() * result.length), 1 + Math.floor(random() * 64), random);
  }
  return result;
}
