/** A vector of length 1: the product of two is the cosine of the angle between them. */
export type Unit = Float32Array;

/** Undefined for what has no direction: all zeros, or numbers that are none. */
export function unitOf(values: readonly number[]): Unit | undefined {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return Number.isFinite(length) && length > 0 ? Float32Array.from(values, (value) => value / length) : undefined;
}

/** As it is stored: float32, little-endian (as on every platform that parley runs on). */
export const bytesOf = (vector: Unit): Buffer => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);

/** SQLite's bytes need not lie where float32 may, so they are copied. */
export const vectorOf = (bytes: Uint8Array): Unit => new Float32Array(Uint8Array.from(bytes).buffer);

export function cosine(a: Unit, b: Unit): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!;
  return sum;
}

/** A bit for the sign of each dimension, filled up to whole 32-bit words. */
export function signsOf(vector: Unit): Buffer {
  const words = new Uint32Array(Math.ceil(vector.length / 32));
  for (const [index, value] of vector.entries()) if (value > 0) words[index >> 5]! |= 1 << (index & 31);
  return Buffer.from(words.buffer);
}

function ones(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * How many signs differ between one vector and each of many that lie one behind the other. The share of differing signs grows with
 * the angle (Charikar 2002), and comparing signs costs a fiftieth of comparing numbers.
 */
export function differences(one: Uint8Array, many: Uint8Array): Uint16Array {
  const [asked, all] = [one, many].map((bytes) => new Uint32Array(Uint8Array.from(bytes).buffer)) as [
    Uint32Array,
    Uint32Array,
  ];
  const result = new Uint16Array(all.length / asked.length);
  for (let vector = 0, word = 0; vector < result.length; vector++) {
    let differing = 0;
    for (let index = 0; index < asked.length; index++) differing += ones(all[word++]! ^ asked[index]!);
    result[vector] = differing;
  }
  return result;
}
