import { crc32, inflateRawSync } from 'node:zlib';
import { ExtractionError } from '../errors.ts';

/*
 * By hand, because libraries read a ZIP either asynchronously (yauzl), which telling a format at an upload cannot wait for, or
 * trust the sizes it declares (fflate); here every inflation stops at a limit, whatever the file says of itself.
 * Layout: PKWARE APPNOTE 6.3.10, sections 4.3.7 (local header), 4.3.12 (directory), 4.3.16 (end), 4.5.3 (64-bit sizes).
 */

type Entry = { name: string; method: number; encrypted: boolean; crc: number; packedBytes: number; offset: number };

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endBytes = 22;
const maxCommentBytes = 65_535;
/** Office files have some hundred; more is nothing that this program reads. */
const maxEntries = 20_000;
const stored = 0;
const deflated = 8;
const inWideField = 0xffff_ffff;
const wideFieldId = 1;

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** It begins as a ZIP file does; that it goes on as one is not said. */
export const looksZipped = (bytes: Uint8Array): boolean =>
  bytes.length >= 4 && bufferOf(bytes).readUInt32LE(0) === localSignature;

/** What is in a ZIP file, in the order of its directory, or undefined where the directory is missing or broken. */
export function entriesOf(bytes: Uint8Array): Entry[] | undefined {
  const file = bufferOf(bytes);
  const end = endOf(file);
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
    entries.push(entryAt(file, at, nameEnd, extraEnd));
    at = extraEnd + file.readUInt16LE(at + 32);
  }
  return entries;
}

/** Where the end record is: the last thing in the file, but for a comment. */
function endOf(file: Buffer): number | undefined {
  const earliest = Math.max(0, file.length - endBytes - maxCommentBytes);
  for (let at = file.length - endBytes; at >= earliest; at -= 1) {
    if (file.readUInt32LE(at) === endSignature) return at;
  }
  return undefined;
}

function entryAt(file: Buffer, at: number, nameEnd: number, extraEnd: number): Entry {
  const entry = {
    name: file.toString('utf8', at + 46, nameEnd).replaceAll('\\', '/'),
    method: file.readUInt16LE(at + 10),
    encrypted: (file.readUInt16LE(at + 8) & 1) === 1,
    crc: file.readUInt32LE(at + 16),
    packedBytes: file.readUInt32LE(at + 20),
    offset: file.readUInt32LE(at + 42),
  };
  if (entry.packedBytes !== inWideField && entry.offset !== inWideField) return entry;
  // Of unpacked size, packed size and offset, the wide field has those that the narrow ones leave to it, in this order.
  let wide = wideFieldAt(file, nameEnd, extraEnd);
  const next = (): number => {
    if (wide === undefined || wide + 8 > extraEnd) return Number.MAX_SAFE_INTEGER;
    wide += 8;
    return Number(file.readBigUInt64LE(wide - 8));
  };
  if (file.readUInt32LE(at + 24) === inWideField) next();
  if (entry.packedBytes === inWideField) entry.packedBytes = next();
  if (entry.offset === inWideField) entry.offset = next();
  return entry;
}

function wideFieldAt(file: Buffer, start: number, end: number): number | undefined {
  for (let at = start; at + 4 <= end; at += 4 + file.readUInt16LE(at + 2)) {
    if (file.readUInt16LE(at) === wideFieldId) return at + 4;
  }
  return undefined;
}

/** The parts of a ZIP file, unpacked one by one as they are asked for. */
export type Unzip = {
  names: readonly string[];
  /** undefined when there is no such part. @throws ExtractionError when it is damaged, or all parts so far are too large */
  read(name: string): Buffer | undefined;
};

/** @param maxBytes what all parts that are read may have together */
export function openZip(bytes: Uint8Array, maxBytes: number): Unzip {
  const entries = entriesOf(bytes);
  if (!entries) throw damaged('the directory at its end is missing');
  const file = bufferOf(bytes);
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  let leftBytes = maxBytes;
  return {
    names: [...byName.keys()],
    read(name) {
      const entry = byName.get(name);
      if (!entry) return undefined;
      const part = unpack(file, entry, leftBytes);
      leftBytes -= part.length;
      return part;
    },
  };
}

const damaged = (why: string, cause?: unknown): ExtractionError =>
  new ExtractionError(`The file is damaged or was cut off: ${why}. Save or upload it again.`, { cause });

function unpack(file: Buffer, entry: Entry, maxBytes: number): Buffer {
  const { name, offset, packedBytes } = entry;
  if (entry.encrypted) throw new ExtractionError('The file is protected by a password; give a copy without one.');
  if (offset + 30 > file.length || file.readUInt32LE(offset) !== localSignature) {
    throw damaged(`its part ${name} is missing`);
  }
  const start = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
  if (start + packedBytes > file.length) throw damaged(`its part ${name} is incomplete`);
  const packed = file.subarray(start, start + packedBytes);
  const part = entry.method === stored ? packed : inflate(packed, entry, maxBytes);
  if (part.length > maxBytes) throw tooLarge(name);
  if (crc32(part) !== entry.crc) throw damaged(`its part ${name} is not what was packed`);
  return part;
}

function inflate(packed: Buffer, { name, method }: Entry, maxBytes: number): Buffer {
  if (method !== deflated) throw damaged(`its part ${name} is packed in a way that office programs do not use`);
  try {
    // One byte more than allowed, so that what fits exactly is told from what does not.
    return inflateRawSync(packed, { maxOutputLength: maxBytes + 1 });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(name);
    throw damaged(`its part ${name} cannot be unpacked`, cause);
  }
}

const tooLarge = (name: string): ExtractionError =>
  new ExtractionError(`The file unpacks to more than is read of one (at its part ${name}); divide it.`);
