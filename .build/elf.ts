const [alloc, headerBytes] = [2n, 64];

/**
 * A program of 64-bit Linux without its symbols and debug information, a quarter of Node's size. They follow everything that is loaded, so the
 * file is cut off there. Own code, because `strip` of this machine knows the processor of this machine alone, and its versions differ.
 * @throws when the file is no 64-bit little-endian ELF
 */
export function stripElf(program: Buffer): Buffer {
  if (program.readUInt32BE(0) !== 0x7f_45_4c_46 || program[4] !== 2 || program[5] !== 1)
    throw new Error('not a 64-bit ELF program');
  const [headersAt, count, namesIndex] = [
    Number(program.readBigUInt64LE(40)),
    program.readUInt16LE(60),
    program.readUInt16LE(62),
  ];
  const headers = Array.from({ length: count }, (_, index) =>
    program.subarray(headersAt + index * headerBytes, headersAt + (index + 1) * headerBytes),
  );
  const last = headers.findLastIndex((header) => (header.readBigUInt64LE(8) & alloc) !== 0n);
  const kept = headers.slice(0, last + 1);
  const end = Math.max(...kept.map(endOf));
  const names = Buffer.from(headers[namesIndex]!);
  const nameBytes = program.subarray(Number(names.readBigUInt64LE(24)), endOf(names));
  names.writeBigUInt64LE(BigInt(end), 24);
  const padding = Buffer.alloc((8 - ((end + nameBytes.length) % 8)) % 8);
  const stripped = Buffer.concat([program.subarray(0, end), nameBytes, padding, ...kept, names]);
  stripped.writeBigUInt64LE(BigInt(end + nameBytes.length + padding.length), 40);
  stripped.writeUInt16LE(kept.length + 1, 60);
  stripped.writeUInt16LE(kept.length, 62);
  return stripped;
}

const noBits = 8;
/** The position in the file behind a section. A section of zeros takes no place in it. */
const endOf = (header: Buffer): number =>
  Number(header.readBigUInt64LE(24)) + (header.readUInt32LE(4) === noBits ? 0 : Number(header.readBigUInt64LE(32)));
