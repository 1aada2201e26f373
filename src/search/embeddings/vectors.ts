/** A vector of length 1: the dot product of two is the cosine of the angle between them. */
export type UnitVector = Float32Array;

/** Scales a vector to length 1. Undefined for a vector without a direction: all zeros, or with values that are not finite. */
export function normalize(values: readonly number[]): UnitVector | undefined {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return Number.isFinite(length) && length > 0 ? Float32Array.from(values, (value) => value / length) : undefined;
}

/** Encodes a vector as it is stored: float32, little-endian (as on every platform that parley runs on). */
export const encodeVector = (vector: UnitVector): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);

/** Copies the bytes, because those from the database may not be aligned for float32. */
export const decodeVector = (bytes: Uint8Array): UnitVector => new Float32Array(Uint8Array.from(bytes).buffer);

/** The cosine of the angle between two vectors, as seen from a centre. 0 when one of them is the centre itself. */
export function cosine(a: UnitVector, b: UnitVector, centre: Float32Array = new Float32Array(a.length)): number {
  let [dotProduct, squaresA, squaresB] = [0, 0, 0];
  for (let index = 0; index < a.length; index++) {
    const fromCentreA = a[index]! - centre[index]!;
    const fromCentreB = b[index]! - centre[index]!;
    dotProduct += fromCentreA * fromCentreB;
    squaresA += fromCentreA * fromCentreA;
    squaresB += fromCentreB * fromCentreB;
  }
  const lengths = Math.sqrt(squaresA * squaresB);
  return lengths > 0 ? dotProduct / lengths : 0;
}

/** One bit for each dimension, set where the vector is above the centre, padded to whole 32-bit words. */
export function signBitsOf(vector: UnitVector, centre?: Float32Array): Buffer {
  const words = new Uint32Array(Math.ceil(vector.length / 32));
  for (let index = 0; index < vector.length; index++) {
    if (vector[index]! > (centre?.[index] ?? 0)) words[index >> 5]! |= 1 << (index & 31);
  }
  return Buffer.from(words.buffer);
}

function popCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * Counts the differing sign bits between a vector and each of many, whose bits are concatenated and relative to the same centre. The
 * share of differing bits grows with the angle (Charikar 2002), and comparing bits costs a fiftieth of comparing numbers.
 */
export function hammingDistances(query: Uint8Array, concatenated: Uint8Array): Uint16Array {
  const [queryWords, allWords] = [query, concatenated].map(
    (bytes) => new Uint32Array(Uint8Array.from(bytes).buffer),
  ) as [Uint32Array, Uint32Array];
  const distances = new Uint16Array(allWords.length / queryWords.length);
  for (let vector = 0, word = 0; vector < distances.length; vector++) {
    let distance = 0;
    for (let index = 0; index < queryWords.length; index++)
      distance += popCount(allWords[word++]! ^ queryWords[index]!);
    distances[vector] = distance;
  }
  return distances;
}
