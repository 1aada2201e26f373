/** G.711, the only codecs that parley offers to trunks. */
export type Codec = 'PCMU' | 'PCMA';

/**
 * G.711 (ITU-T, 1988) between 16-bit samples and one byte each. By hand, because the only package for it, `alawmulaw`, has not changed for
 * years. The arithmetic is that of the ITU's reference software (G.191).
 */

/** Bytes in a packet of 20 ms at 8 kHz. */
export const frameBytes = 160;

export const silenceByte: Readonly<Record<Codec, number>> = { PCMU: 0xff, PCMA: 0xd5 };

function muLawByte(sample: number): number {
  const magnitude = Math.min(((sample < 0 ? ~sample : sample) >> 2) + 33, 0x1fff);
  const segment = 32 - Math.clz32(magnitude >> 6) + 1;
  const byte = ((8 - segment) << 4) | (0xf - ((magnitude >> segment) & 0xf));
  return sample < 0 ? byte : byte | 0x80;
}

function aLawByte(sample: number): number {
  let magnitude = (sample < 0 ? ~sample : sample) >> 4;
  if (magnitude > 15) {
    let exponent = 1;
    while (magnitude > 31) {
      magnitude >>= 1;
      exponent += 1;
    }
    magnitude += (exponent << 4) - 16;
  }
  return (sample < 0 ? magnitude : magnitude | 0x80) ^ 0x55;
}

function muLawSample(byte: number): number {
  const exponent = (~byte >> 4) & 7;
  const step = 8 << exponent;
  const magnitude = (0x80 << exponent) + step * (~byte & 0xf) + step / 2 - 132;
  return byte < 0x80 ? -magnitude : magnitude;
}

function aLawSample(byte: number): number {
  const bits = (byte ^ 0x55) & 0x7f;
  const exponent = bits >> 4;
  const mantissa = (((bits & 0xf) + (exponent > 0 ? 16 : 0)) << 4) + 8;
  const magnitude = exponent > 1 ? mantissa << (exponent - 1) : mantissa;
  return byte < 0x80 ? -magnitude : magnitude;
}

const tableOf = (sampleOf: (byte: number) => number): Int16Array =>
  Int16Array.from({ length: 256 }, (_, byte) => sampleOf(byte));

/** The sample of every byte. */
export const samples: Readonly<Record<Codec, Int16Array>> = {
  PCMU: tableOf(muLawSample),
  PCMA: tableOf(aLawSample),
};

const byteOf: Readonly<Record<Codec, (sample: number) => number>> = { PCMU: muLawByte, PCMA: aLawByte };

/** Samples from -32,768 to 32,767. */
export function encode(codec: Codec, pcm: ArrayLike<number>): Uint8Array {
  const toByte = byteOf[codec];
  const bytes = new Uint8Array(pcm.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = toByte(pcm[at]!);
  return bytes;
}

export function decode(codec: Codec, audio: Uint8Array): Int16Array {
  const table = samples[codec];
  const pcm = new Int16Array(audio.length);
  for (let at = 0; at < pcm.length; at += 1) pcm[at] = table[audio[at]!]!;
  return pcm;
}

/** The byte of the other law for every byte. */
const converted: Readonly<Record<Codec, Uint8Array>> = {
  PCMU: Uint8Array.from(samples.PCMU, aLawByte),
  PCMA: Uint8Array.from(samples.PCMA, muLawByte),
};

/** Audio in the codec of the call, for endpoints that send the other one that we offered. */
export function transcode(from: Codec, to: Codec, audio: Uint8Array): Uint8Array {
  if (from === to) return audio;
  const table = converted[from];
  return Uint8Array.from(audio, (byte) => table[byte]!);
}
