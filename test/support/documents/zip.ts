import { crc32, deflateRawSync } from 'node:zlib';

export type Part = {
  name: string;
  bytes: Uint8Array | string;
  stored?: boolean;
  /** False header values. */
  lies?: { size?: number; packed?: number; crc?: number; offset?: number; flags?: number; method?: number };
};

/** A ZIP file with these parts. */
export function zipOf(parts: readonly Part[]): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const part of parts) {
    const bytes = Buffer.from(part.bytes as string);
    const packed = part.stored ? bytes : deflateRawSync(bytes);
    const name = Buffer.from(part.name);
    const { lies = {} } = part;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(lies.flags ?? 0, 2);
    common.writeUInt16LE(lies.method ?? (part.stored ? 0 : 8), 4);
    common.writeUInt32LE(lies.crc ?? crc32(bytes), 10);
    common.writeUInt32LE(lies.packed ?? packed.length, 14);
    common.writeUInt32LE(lies.size ?? bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, name, packed]);
    const offset = Buffer.alloc(14);
    offset.writeUInt32LE(lies.offset ?? at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, offset, name]));
    pieces.push(local);
    at += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...pieces, entries, end]);
}
