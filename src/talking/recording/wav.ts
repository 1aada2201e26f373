import type { Codec } from '../../telephony/audio/g711.ts';

/**
 * WAV files with two channels of G.711 at 8 kHz. By hand: the header is 58 bytes, and libraries write samples of 16 bits, twice as many
 * bytes.
 */

export const wavHeaderBytes = 58;
/** Two channels of 8,000 bytes a second. */
export const bytesPerMs = 16;

const formatOf = { PCMU: 7, PCMA: 6 } as const satisfies Record<Codec, number>;

/** As programs write it that do not know the length yet: players read to the end of the file. */
export const unknownBytes = 0xffff_ffff;

/** The header of a file with this many bytes of sound, or `unknownBytes` while it is written. */
export function wavHeader(codec: Codec, soundBytes: number): Buffer {
  const header = Buffer.alloc(wavHeaderBytes);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(Math.min(unknownBytes, wavHeaderBytes - 8 + soundBytes), 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(18, 16);
  header.writeUInt16LE(formatOf[codec], 20);
  header.writeUInt16LE(2, 22); // channels
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(16_000, 28); // bytes a second
  header.writeUInt16LE(2, 32); // bytes of a sample of both channels
  header.writeUInt16LE(8, 34); // bits of a sample
  header.writeUInt16LE(0, 36); // no extension
  header.write('fact', 38, 'latin1');
  header.writeUInt32LE(4, 42);
  header.writeUInt32LE(Math.floor(soundBytes / 2), 46);
  header.write('data', 50, 'latin1');
  header.writeUInt32LE(soundBytes, 54);
  return header;
}

/** The codec of a file that begins with such a header; undefined for any other. */
export function codecOfWav(header: Uint8Array): Codec | undefined {
  const read = Buffer.from(header.buffer, header.byteOffset, header.byteLength);
  if (read.length < wavHeaderBytes || read.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  const format = read.readUInt16LE(20);
  return format === formatOf.PCMU ? 'PCMU' : format === formatOf.PCMA ? 'PCMA' : undefined;
}
