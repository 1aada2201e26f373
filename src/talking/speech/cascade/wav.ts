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

const pcmFormat = 1;
const extensibleFormat = 0xfffe;
const maxChannels = 8;

/** Rates that can be converted: the filter for others would take megabytes. All usual ones are multiples of 25. */
const isUsualRate = (rate: number): boolean => rate >= 4000 && rate <= 96_000 && rate % 25 === 0;

/** The samples that `fmt ` describes. */
function formatAt(file: Buffer, at: number): Omit<WavHeader, 'dataAt'> {
  const [format, channels, rate, bits] = [
    file.readUInt16LE(at),
    file.readUInt16LE(at + 2),
    file.readUInt32LE(at + 4),
    file.readUInt16LE(at + 14),
  ];
  if ((format !== pcmFormat && format !== extensibleFormat) || bits !== 16)
    throw new Error('the WAV file does not hold 16-bit samples');
  if (channels < 1 || channels > maxChannels) throw new Error(`the WAV file has ${channels} channels`);
  if (!isUsualRate(rate)) throw new Error(`the WAV file has ${rate} samples a second`);
  return { channels, rate };
}

/**
 * The header of a file of which the beginning has come; undefined: more is needed. Lengths are not believed, since services that stream do
 * not know them.
 * @throws Error when it holds no 16-bit samples, or its figures cannot be true
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
      format = formatAt(file, at + 8);
    }
    at += 8 + length + (length % 2);
  }
  if (file.length > 65_536) throw new Error('the WAV file has no data');
  return undefined;
}
