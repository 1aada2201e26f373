import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Digits, then upper case, then lower case. */
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 30;
const checkLength = 6;

function checksum(random: string): string {
  let rest = crc32(random);
  let digits = '';
  for (let index = 0; index < checkLength; index++) {
    digits = base62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** A new API key: `pk_`, 30 random base62 characters (178 bits), and 6 more for their CRC-32 (docs/api/access.md, "API keys"). */
export function makeApiKey(): string {
  let random = '';
  for (let index = 0; index < randomLength; index++) random += base62.charAt(randomInt(62));
  return `pk_${random}${checksum(random)}`;
}

/** The stored form of a key. A key has 178 random bits, so plain SHA-256 needs neither salt nor stretching. */
export const hashApiKey = (key: string): string => hash('sha256', key);
