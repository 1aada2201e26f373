import { hash } from 'node:crypto';

const blockBytes = 64;

/**
 * HMAC-SHA256 (RFC 2104, section 2) under one key, of a message in pieces. By hand, from Node's one-shot hash: `createHmac` makes two
 * objects and a context every time, which costs more than hashing a few kilobytes, and every webhook is signed.
 */
export function hmacSha256(key: Buffer): (message: readonly Buffer[]) => Buffer {
  const block = Buffer.alloc(blockBytes);
  (key.length > blockBytes ? hash('sha256', key, 'buffer') : key).copy(block);
  const inner = Buffer.from(block.map((byte) => byte ^ 0x36));
  const outer = Buffer.from(block.map((byte) => byte ^ 0x5c));
  const sha256 = (pieces: readonly Buffer[]): Buffer => hash('sha256', Buffer.concat(pieces), 'buffer');
  return (message) => sha256([outer, sha256([inner, ...message])]);
}
