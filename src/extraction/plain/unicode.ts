/** How much is examined to recognize UTF-16 without a byte order mark. */
const sampleBytes = 4096;

/** The encoding that a byte order mark declares, which overrides all other declarations (HTML, 13.2.3.2). */
export function encodingFromBom(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

/** Recognizes UTF-16 without a byte order mark if most of the text is ASCII, because every other byte is then zero. */
export function utf16WithoutBom(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const length = Math.min(bytes.length, sampleBytes) & ~1;
  if (length < 4 || bytes.length % 2 === 1) return undefined;
  const zeros = [0, 0];
  for (let index = 0; index < length; index += 1) if (bytes[index] === 0) zeros[index & 1]! += 1;
  const [even, odd] = zeros.map((count) => count / (length / 2)) as [number, number];
  if (even === 0 && odd > 0.6) return 'utf-16le';
  if (odd === 0 && even > 0.6) return 'utf-16be';
  return undefined;
}
