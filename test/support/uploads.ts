import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';

/** A file as an upload leaves it: open, and without a name. */
export function uploadOf(content: string | Buffer): { file: { descriptor: number; size: number }; close(): void } {
  const path = join(tmpdir(), `parley-test-${randomUUID()}`);
  const descriptor = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  const bytes = Buffer.from(content);
  writeSync(descriptor, bytes);
  return { file: { descriptor, size: bytes.length }, close: () => closeSync(descriptor) };
}
