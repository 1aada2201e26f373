import { Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

/** A file in a ZIP; its content is generated while the ZIP is read. */
export type ZipFile = { name: string; content: AsyncIterable<string> | Iterable<string> };

const deflated = 8;
/** The sizes and the checksum follow the data, and the name is UTF-8. */
const flags = 0x0808;
const version = 20;
/** Some readers refuse the date 0; this is 1 January 1980. */
const date = 0x21;
const maxBytes = 0xffff_ffff;

type Written = { name: Buffer; crc: number; packed: number; unpacked: number; offset: number };

/**
 * Writes a ZIP without knowing the sizes beforehand, so that it can be sent while it is made (PKWARE APPNOTE 6.3.10, sections 4.3.7 to
 * 4.3.16). node:zlib does the work; a library would add little to it but the dependency.
 * @throws when a file or the ZIP is larger than 4 GiB, which needs 64-bit sizes
 */
export async function* zipStream(files: Iterable<ZipFile>): AsyncGenerator<Buffer> {
  const directory: Written[] = [];
  let offset = 0;
  for (const { name, content } of files) {
    const file: Written = { name: Buffer.from(name), crc: 0, packed: 0, unpacked: 0, offset };
    const header = Buffer.concat([fields([0x04034b50, 4], ...shared(file, { isKnown: false })), file.name]);
    yield header;
    for await (const chunk of deflate(file, content)) yield chunk;
    const trailer = fields([0x08074b50, 4], [file.crc, 4], [file.packed, 4], [file.unpacked, 4]);
    yield trailer;
    offset += header.length + file.packed + trailer.length;
    directory.push(file);
  }
  const entries = Buffer.concat(directory.map(entryOf));
  const count = directory.length;
  yield entries;
  yield fields([0x06054b50, 4], [0, 4], [count, 2], [count, 2], [entries.length, 4], [offset, 4], [0, 2]);
}

async function* deflate(file: Written, content: ZipFile['content']): AsyncGenerator<Buffer> {
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const text of content) {
      const bytes = Buffer.from(text);
      file.crc = crc32(bytes, file.crc);
      file.unpacked += bytes.length;
      if (file.unpacked > maxBytes || file.offset + file.packed > maxBytes)
        throw new Error(`${file.name.toString()} is too large for a ZIP`);
      yield bytes;
    }
  }
  const source = Readable.from(counted(), { objectMode: false });
  const packer = source.on('error', (error) => packer.destroy(error)).pipe(createDeflateRaw());
  try {
    for await (const chunk of packer as AsyncIterable<Buffer>) {
      file.packed += chunk.length;
      yield chunk;
    }
  } finally {
    source.destroy();
  }
}

type Field = readonly [value: number, bytes: 2 | 4];

/** The fields that a local header and an entry of the directory have in common. */
const shared = ({ name, crc, packed, unpacked }: Written, { isKnown }: { isKnown: boolean }): Field[] => [
  ...([version, flags, deflated, 0, date].map((value) => [value, 2]) as Field[]),
  ...([crc, packed, unpacked].map((value) => [isKnown ? value : 0, 4]) as Field[]),
  [name.length, 2],
  [0, 2],
];

const entryOf = (file: Written): Buffer =>
  Buffer.concat([
    fields(
      [0x02014b50, 4],
      [version, 2],
      ...shared(file, { isKnown: true }),
      ...([0, 0, 0].map((value) => [value, 2]) as Field[]),
      [0, 4],
      [file.offset, 4],
    ),
    file.name,
  ]);

function fields(...values: Field[]): Buffer {
  const bytes = Buffer.alloc(values.reduce((sum, [, size]) => sum + size, 0));
  let at = 0;
  for (const [value, size] of values) at = bytes.writeUIntLE(value, at, size);
  return bytes;
}
