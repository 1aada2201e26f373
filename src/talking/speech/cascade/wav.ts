/** WAV files with 16-bit samples, which are the only ones that speech services speak and hear. */

const headerBytes = 44;

/** A WAV file of one channel. */
export function writeWav(pcm: Int16Array, rate: number): Buffer {
  const file = Buffer.alloc(headerBytes + pcm.length * 2);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(pcm.length * 2, 40);
  for (let at = 0; at < pcm.length; at += 1) file.writeInt16LE(pcm[at]!, headerBytes + at * 2);
  return file;
}

export type WavHeader = { rate: number; channels: number; dataAt: number };

/**
 * The header of a file of which the beginning has come; undefined: more is needed. Lengths are not believed, since services that stream do
 * not know them.
 * @throws Error when it holds no 16-bit samples
 */
export function readWavHeader(file: Buffer): WavHeader | undefined {
  let format: Omit<WavHeader, 'dataAt'> | undefined;
  for (let at = 12; at + 8 <= file.length;) {
    const name = file.toString('latin1', at, at + 4);
    if (name === 'data') {
      if (!format) throw new Error('the WAV file has no format');
      return { ...format, dataAt: at + 8 };
    }
    const length = file.readUInt32LE(at + 4);
    if (name === 'fmt ') {
      if (at + 24 > file.length) return undefined;
      if (file.readUInt16LE(at + 22) !== 16) throw new Error('the WAV file does not hold 16-bit samples');
      format = { channels: Math.max(1, file.readUInt16LE(at + 10)), rate: file.readUInt32LE(at + 12) };
    }
    at += 8 + length + (length % 2);
  }
  if (file.length > 65_536) throw new Error('the WAV file has no data');
  return undefined;
}
