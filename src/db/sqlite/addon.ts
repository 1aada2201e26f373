import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getRawAsset, isSea } from 'node:sea';

/** The name under which `.build/package.ts` puts better-sqlite3's prebuilt addon into the executable. */
const assetName = 'better_sqlite3.node';

/**
 * Where better-sqlite3 finds its native code, for its `nativeBinding` option. The single executable carries the addon, but an
 * operating system loads native code from files only: so it is written under the data directory, which is the one place
 * parley may write to. From a checkout there is nothing to do, and better-sqlite3 finds its own.
 * @param directory the data directory; made when it is not there
 * @returns a path that ends in `.node`, or undefined from a checkout
 * @throws what the file system says when the directory cannot be written to
 */
export function nativeBindingPath(directory: string): string | undefined {
  return isSea() ? extractAddon(Buffer.from(getRawAsset(assetName)), directory) : undefined;
}

/**
 * Writes the addon to `<directory>/native/`, unless exactly these bytes are there: after an upgrade, or when something has
 * damaged the file (a power cut: it is not flushed), it is replaced. By renaming, so that another process never loads half of it.
 */
export function extractAddon(addon: Buffer, directory: string): string {
  const folder = join(directory, 'native');
  const path = join(folder, assetName);
  if (existsSync(path) && readFileSync(path).equals(addon)) return path;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fresh = `${path}.${randomUUID()}`;
  writeFileSync(fresh, addon, { mode: 0o600 });
  renameSync(fresh, path);
  return path;
}
