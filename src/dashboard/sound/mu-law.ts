/** G.711 µ-law (ITU-T G.711, table 2): a byte a sample, which here lies between -1 and 1. By hand, because what exists is no smaller. */

export const silentByte = 0xff;

const bias = 0x84;
const maxSample = 32_635;
const scale = 32_768;

/** The sample of each byte. */
const samples = Float32Array.from({ length: 256 }, (_, byte) => {
  const bits = ~byte;
  const size = ((((bits & 0x0f) << 3) + bias) << ((bits >> 4) & 7)) - bias;
  return ((bits & 0x80) === 0 ? size : -size) / scale;
});

export const decode = (frame: Uint8Array): Float32Array => Float32Array.from(frame, (byte) => samples[byte]!);

export function encode(sample: number): number {
  const size = Math.min(maxSample, Math.round(Math.abs(sample) * scale)) + bias;
  const exponent = 24 - Math.clz32(size);
  const bits = (sample < 0 ? 0x80 : 0) | (exponent << 4) | ((size >> (exponent + 3)) & 0x0f);
  return ~bits & 0xff;
}
