import { invalidAt } from '../../../base/errors.ts';
import { encodingFromBom, utf16WithoutBom } from '../../../extraction/plain/unicode.ts';
import { chunksOf, firstChunk, type UploadedFile } from './file.ts';

/** The charset in which spreadsheet programs on Western Windows save CSV files, without declaring it. */
const legacyCharset = 'windows-1252';

/**
 * The character set of a text file: by its byte order mark, else as the caller declares it, else UTF-8 if the bytes are valid UTF-8, else
 * windows-1252 if its bytes beyond ASCII stand in words.
 * @throws invalid for an unknown name, and for bytes that are not text in the character set
 */
export function charsetOf(file: UploadedFile, declared: string | null): string {
  const head = firstChunk(file);
  const detected = encodingFromBom(head) ?? (declared === null ? utf16WithoutBom(head) : undefined);
  if (detected === undefined && declared !== null) return requireText(file, knownCharset(declared));
  if (detected !== undefined) return requireText(file, detected);
  if (isText(file, 'utf-8')) return 'utf-8';
  if (looksLegacy(file)) return legacyCharset;
  throw notText('UTF-8');
}

function knownCharset(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw invalidAt('charset', `is not a known character set: ${label}`);
  }
}

function requireText(file: UploadedFile, charset: string): string {
  if (isText(file, charset)) return charset;
  throw notText(charset.toUpperCase());
}

const notText = (charset: string): Error =>
  invalidAt('', `The file is not ${charset} text. Save it as UTF-8, or name its character set as \`charset\`.`);

function isText(file: UploadedFile, charset: string): boolean {
  const decoder = new TextDecoder(charset, { fatal: true });
  try {
    for (const chunk of chunksOf(file)) decoder.decode(chunk, { stream: true });
    decoder.decode();
    return true;
  } catch {
    return false; // TextDecoder throws for bytes that are not in the character set
  }
}

/** Bytes that windows-1252 leaves undefined. */
const undefinedBytes: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
const isLetter = (byte: number): boolean => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);

/**
 * Whether the file reads as windows-1252: at least half of its bytes beyond ASCII have a letter beside them, as in "Müller". In a damaged
 * UTF-8 file they would stand alone or in groups.
 */
function looksLegacy(file: UploadedFile): boolean {
  let inWords = 0;
  let others = 0;
  for (const chunk of chunksOf(file)) {
    for (const [index, byte] of chunk.entries()) {
      if (byte < 0x80) continue;
      if (undefinedBytes.has(byte)) return false;
      if (isLetter(chunk[index - 1] ?? 0) || isLetter(chunk[index + 1] ?? 0)) inWords += 1;
      else others += 1;
    }
  }
  return inWords > 0 && inWords >= others;
}

/** The text of a file as UTF-8, from a position on. */
export function* utf8Of(file: UploadedFile, charset: string, from = 0): Generator<Buffer> {
  if (charset === 'utf-8') return yield* chunksOf(file, from);
  const decoder = new TextDecoder(charset, { fatal: true });
  for (const chunk of chunksOf(file, from)) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}
