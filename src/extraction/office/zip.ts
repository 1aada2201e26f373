import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { asBuffer } from '../as-buffer.ts';
import { ExtractionError } from '../errors.ts';

/*
 * Reads ZIP files by hand, because libraries either read asynchronously (yauzl), while format detection is synchronous, or trust the
 * sizes that the file declares (fflate). Here every inflation stops at a limit, whatever the file declares. Layout:
 * PKWARE APPNOTE 6.3.10, sections 4.3.7 (local header), 4.3.12 (directory), 4.3.16 (end), 4.5.3 (64-bit sizes).
 */

type Entry = { name: string; method: number; encrypted: boolean; crc: number; packedBytes: number; offset: number };

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endBytes = 22;
const maxCommentBytes = 65_535;
/** Office files have hundreds of entries; a file with more is refused. */
const maxEntries = 20_000;
/** How much `pieces` unpacks at a time. */
const pieceBytes = 65_536;
const stored = 0;
const deflated = 8;
/** A 32-bit field with this value refers to the ZIP64 field, which holds the true value. */
const seeZip64 = 0xffff_ffff;
const zip64FieldId = 1;

/** Whether the file starts with a ZIP header. The rest may still be damaged. */
export const startsLikeZip = (bytes: Uint8Array): boolean =>
  bytes.length >= 4 && asBuffer(bytes).readUInt32LE(0) === localSignature;

/** Reads the central directory; undefined if it is missing or damaged. */
export function readDirectory(bytes: Uint8Array): Entry[] | undefined {
  const file = asBuffer(bytes);
  const end = findEndRecord(file);
  if (end === undefined) return undefined;
  const entries: Entry[] = [];
  let at = file.readUInt32LE(end + 16);
  const count = file.readUInt16LE(end + 10);
  if (count > maxEntries) return undefined;
  while (entries.length < count) {
    if (at + 46 > file.length || file.readUInt32LE(at) !== entrySignature) return undefined;
    const nameEnd = at + 46 + file.readUInt16LE(at + 28);
    const extraEnd = nameEnd + file.readUInt16LE(at + 30);
    if (extraEnd > file.length) return undefined;
    entries.push(readEntry(file, at, nameEnd, extraEnd));
    at = extraEnd + file.readUInt16LE(at + 32);
  }
  return entries;
}

/** Finds the end record: the last thing in the file except for an optional comment. */
function findEndRecord(file: Buffer): number | undefined {
  const earliest = Math.max(0, file.length - endBytes - maxCommentBytes);
  for (let at = file.length - endBytes; at >= earliest; at -= 1) {
    if (file.readUInt32LE(at) === endSignature) return at;
  }
  return undefined;
}

function readEntry(file: Buffer, at: number, nameEnd: number, extraEnd: number): Entry {
  const entry = {
    name: file.toString('utf8', at + 46, nameEnd).replaceAll('\\', '/'),
    method: file.readUInt16LE(at + 10),
    encrypted: (file.readUInt16LE(at + 8) & 1) === 1,
    crc: file.readUInt32LE(at + 16),
    packedBytes: file.readUInt32LE(at + 20),
    offset: file.readUInt32LE(at + 42),
  };
  if (entry.packedBytes !== seeZip64 && entry.offset !== seeZip64) return entry;
  // The ZIP64 field holds, in this order, whichever of unpacked size, packed size and offset do not fit into 32 bits.
  let zip64At = findZip64Field(file, nameEnd, extraEnd);
  const next = (): number => {
    if (zip64At === undefined || zip64At + 8 > extraEnd) return Number.MAX_SAFE_INTEGER;
    zip64At += 8;
    return Number(file.readBigUInt64LE(zip64At - 8));
  };
  if (file.readUInt32LE(at + 24) === seeZip64) next();
  if (entry.packedBytes === seeZip64) entry.packedBytes = next();
  if (entry.offset === seeZip64) entry.offset = next();
  return entry;
}

function findZip64Field(file: Buffer, start: number, end: number): number | undefined {
  for (let at = start; at + 4 <= end; at += 4 + file.readUInt16LE(at + 2)) {
    if (file.readUInt16LE(at) === zip64FieldId) return at + 4;
  }
  return undefined;
}

/** Unpacks the parts of a ZIP file on demand. */
export type ZipReader = {
  names: readonly string[];
  /**
   * Undefined if there is no such part.
   * @param maxBytes limit for this part, unpacked
   * @throws ExtractionError when the part is damaged or encrypted, or it or all parts read so far exceed their limit
   */
  read(name: string, maxBytes?: number): Buffer | undefined;
  /** Unpacks a part piece by piece, so that it is never in memory whole. Yields nothing if there is no such part. @throws as `read` */
  pieces(name: string): AsyncGenerator<Buffer>;
};

/**
 * @param maxBytes limit for all parts read through this reader together, unpacked
 * @throws ExtractionError when the file's directory is missing or damaged
 */
export function openZip(bytes: Uint8Array, maxBytes: number): ZipReader {
  const entries = readDirectory(bytes);
  if (!entries) throw damaged('the directory at its end is missing');
  const file = asBuffer(bytes);
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  let leftBytes = maxBytes;
  return {
    names: [...byName.keys()],
    read(name, maxPartBytes = maxBytes) {
      const entry = byName.get(name);
      if (!entry) return undefined;
      const part = unpack(file, entry, Math.min(leftBytes, maxPartBytes));
      leftBytes -= part.length;
      return part;
    },
    async *pieces(name) {
      const entry = byName.get(name);
      if (!entry) return;
      for await (const piece of unpackPieces(file, entry)) {
        leftBytes -= piece.length;
        if (leftBytes < 0) throw tooLarge(name);
        yield piece;
      }
    },
  };
}

const damaged = (why: string, cause?: unknown): ExtractionError =>
  new ExtractionError(`The file is damaged or was cut off: ${why}. Save or upload it again.`, { cause });

function unpack(file: Buffer, entry: Entry, maxBytes: number): Buffer {
  const packed = packedBytesOf(file, entry);
  const part = entry.method === stored ? packed : inflate(packed, entry, maxBytes);
  if (part.length > maxBytes) throw tooLarge(entry.name);
  if (crc32(part) !== entry.crc) throw wrongChecksum(entry);
  return part;
}

async function* unpackPieces(file: Buffer, entry: Entry): AsyncGenerator<Buffer> {
  const packed = packedBytesOf(file, entry);
  let crc = 0;
  for await (const piece of entry.method === stored ? slicesOf(packed) : inflatePieces(packed, entry)) {
    crc = crc32(piece, crc);
    yield piece;
  }
  if (crc !== entry.crc) throw wrongChecksum(entry);
}

function* slicesOf(part: Buffer): Generator<Buffer> {
  for (let at = 0; at < part.length; at += pieceBytes) yield part.subarray(at, at + pieceBytes);
}

async function* inflatePieces(packed: Buffer, entry: Entry): AsyncGenerator<Buffer> {
  refuseOtherMethods(entry);
  const inflater = createInflateRaw({ chunkSize: pieceBytes });
  inflater.end(packed);
  try {
    for await (const piece of inflater) yield piece as Buffer;
  } catch (cause) {
    throw cannotBeUnpacked(entry, cause);
  }
}

function packedBytesOf(file: Buffer, { name, encrypted, offset, packedBytes }: Entry): Buffer {
  if (encrypted) throw new ExtractionError('The file is protected by a password. Upload a copy without one.');
  if (offset + 30 > file.length || file.readUInt32LE(offset) !== localSignature) {
    throw damaged(`its part ${name} is missing`);
  }
  const start = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
  if (start + packedBytes > file.length) throw damaged(`its part ${name} is incomplete`);
  return file.subarray(start, start + packedBytes);
}

function inflate(packed: Buffer, entry: Entry, maxBytes: number): Buffer {
  refuseOtherMethods(entry);
  try {
    // One byte above the limit, so that a part of exactly `maxBytes` passes; the caller refuses a longer one.
    return inflateRawSync(packed, { maxOutputLength: maxBytes + 1 });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(entry.name);
    throw cannotBeUnpacked(entry, cause);
  }
}

function refuseOtherMethods({ name, method }: Entry): void {
  if (method !== deflated) throw damaged(`its part ${name} uses an unsupported compression method`);
}

const cannotBeUnpacked = ({ name }: Entry, cause: unknown): ExtractionError =>
  damaged(`its part ${name} cannot be unpacked`, cause);
const wrongChecksum = ({ name }: Entry): ExtractionError => damaged(`the checksum of its part ${name} is wrong`);

const tooLarge = (name: string): ExtractionError =>
  new ExtractionError(`The file is too large when unpacked (at its part ${name}). Split it into smaller files.`);
