/** A vector of length 1: the dot product of two is the cosine of the angle between them. */
export type UnitVector = Float32Array;

/** Scales a vector to length 1. Undefined for a vector without a direction: all zeros, or with values that are not finite. */
export function normalize(values: readonly number[]): UnitVector | undefined {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return Number.isFinite(length) && length > 0 ? Float32Array.from(values, (value) => value / length) : undefined;
}

const factorBytes = 4;
const maxInt8 = 127;

/**
 * Encodes a vector as it is stored: a factor (float32, little-endian), then one byte for each dimension, to be multiplied by the factor.
 * A quarter of the bytes of float32, and the same passages are nearest.
 */
export function encodeVector(vector: UnitVector): Buffer {
  const factor = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / maxInt8;
  const bytes = Buffer.alloc(factorBytes + vector.length);
  bytes.writeFloatLE(factor);
  for (const [index, value] of vector.entries()) bytes.writeInt8(Math.round(value / factor), factorBytes + index);
  return bytes;
}

/** The cosines of a vector with each of many that are encoded end to end. Whole numbers are multiplied faster. */
export function cosinesWith(query: UnitVector, encoded: Buffer): Float32Array {
  const dimensions = query.length;
  const queryBytes = encodeVector(query);
  const queryValues = new Int8Array(queryBytes.buffer, queryBytes.byteOffset + factorBytes, dimensions);
  const queryFactor = queryBytes.readFloatLE();
  const values = new Int8Array(encoded.buffer, encoded.byteOffset, encoded.byteLength);
  const stride = factorBytes + dimensions;
  const cosines = new Float32Array(encoded.byteLength / stride);
  for (let vector = 0; vector < cosines.length; vector++) {
    const start = vector * stride + factorBytes;
    let sum = 0;
    for (let index = 0; index < dimensions; index++) {
      sum = (sum + Math.imul(queryValues[index]!, values[start + index]!)) | 0;
    }
    cosines[vector] = sum * queryFactor * encoded.readFloatLE(start - factorBytes);
  }
  return cosines;
}
