import { createHash } from 'node:crypto';

const [segment64, codeSignature] = [0x19, 0x1d];
const [headerBytes, signatureCommandBytes, pageBytes] = [32, 16, 4096];
const [superBlobMagic, directoryMagic] = [0xfade0cc0, 0xfade0c02];
const [adHoc, linkerSigned, sha256, mainBinary] = [0x2, 0x20000, 2, 1n];

type Command = { type: number; at: number };

/**
 * Signs a 64-bit program of macOS that has no signature ad hoc: Apple's processors run no program without one. It does what Go's linker does,
 * because `codesign` exists on macOS alone.
 * @throws when the file is no 64-bit Mach-O, is signed, or has no room for a signature
 */
export function signAdHoc(program: Buffer, identifier: string): Buffer {
  if (program.readUInt32LE(0) !== 0xfeedfacf) throw new Error('not a 64-bit Mach-O program');
  const commands = commandsOf(program);
  const segment = (name: string): number | undefined =>
    commands.find(({ type, at }) => type === segment64 && segmentName(program, at) === name)?.at;
  const [text, linkEdit] = [segment('__TEXT'), segment('__LINKEDIT')];
  const room = program.subarray(endOfCommands(program), endOfCommands(program) + signatureCommandBytes);
  const isSigned = commands.some(({ type }) => type === codeSignature);
  if (isSigned || text === undefined || linkEdit === undefined || room.some((byte) => byte !== 0))
    throw new Error('the program has no place for a signature');

  const codeBytes = Math.ceil(program.length / 16) * 16;
  const signatureBytes = superBlobBytes + directoryBytes(identifier, codeBytes);
  const signed = Buffer.alloc(codeBytes + signatureBytes);
  program.copy(signed);
  const values = [codeSignature, signatureCommandBytes, codeBytes, signatureBytes];
  values.forEach((value, index) => signed.writeUInt32LE(value, endOfCommands(program) + index * 4));
  signed.writeUInt32LE(program.readUInt32LE(16) + 1, 16);
  signed.writeUInt32LE(program.readUInt32LE(20) + signatureCommandBytes, 20);
  const linkEditBytes = BigInt(signed.length) - program.readBigUInt64LE(linkEdit + 40);
  signed.writeBigUInt64LE(linkEditBytes, linkEdit + 48);
  signed.writeBigUInt64LE(((linkEditBytes + 0x3fffn) / 0x4000n) * 0x4000n, linkEdit + 32);

  const blob = signed.subarray(codeBytes);
  const header = [superBlobMagic, signatureBytes, 1, 0, superBlobBytes];
  header.forEach((value, index) => blob.writeUInt32BE(value, index * 4));
  const [textAt, textBytes] = [program.readBigUInt64LE(text + 40), program.readBigUInt64LE(text + 48)];
  writeDirectory(blob.subarray(superBlobBytes), { identifier, code: signed.subarray(0, codeBytes), textAt, textBytes });
  return signed;
}

const superBlobBytes = 20;
const fixedDirectoryBytes = 88;
const hashBytes = 32;
const pagesOf = (codeBytes: number): number => Math.ceil(codeBytes / pageBytes);
const hashesAt = (identifier: string): number => fixedDirectoryBytes + identifier.length + 1;
const directoryBytes = (identifier: string, codeBytes: number): number =>
  hashesAt(identifier) + pagesOf(codeBytes) * hashBytes;

type Signed = { identifier: string; code: Buffer; textAt: bigint; textBytes: bigint };

/** The `CodeDirectory`: a hash of each page of the code, and what is hashed. */
function writeDirectory(directory: Buffer, { identifier, code, textAt, textBytes }: Signed): void {
  const pages = pagesOf(code.length);
  const start = hashesAt(identifier);
  [
    directoryMagic,
    directoryBytes(identifier, code.length),
    0x20400, // the version that has the last three fields
    adHoc | linkerSigned,
    start,
    fixedDirectoryBytes,
    0,
    pages,
    code.length,
  ].forEach((value, index) => directory.writeUInt32BE(value, index * 4));
  directory.set([hashBytes, sha256, 0, Math.log2(pageBytes)], 36);
  [textAt, textBytes, mainBinary].forEach((value, index) => directory.writeBigUInt64BE(value, 64 + index * 8));
  directory.write(identifier, fixedDirectoryBytes, 'latin1');
  for (let page = 0; page < pages; page += 1) {
    const content = code.subarray(page * pageBytes, (page + 1) * pageBytes);
    createHash('sha256')
      .update(content)
      .digest()
      .copy(directory, start + page * hashBytes);
  }
}

const endOfCommands = (program: Buffer): number => headerBytes + program.readUInt32LE(20);

function commandsOf(program: Buffer): Command[] {
  const commands: Command[] = [];
  for (let at = headerBytes; at < endOfCommands(program); at += program.readUInt32LE(at + 4))
    commands.push({ type: program.readUInt32LE(at), at });
  return commands;
}

const segmentName = (program: Buffer, at: number): string =>
  program.toString('latin1', at + 8, at + 24).replaceAll('\0', '');
