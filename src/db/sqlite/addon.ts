import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getRawAsset, isSea } from 'node:sea';

/** The asset name under which `.build/package.ts` embeds better-sqlite3's prebuilt addon in the executable. */
const assetName = 'better_sqlite3.node';

/**
 * The path of better-sqlite3's native code, for its `nativeBinding` option. The single executable embeds the addon, but operating systems
 * load native code only from files, so it is written to the data directory, the one place parley may write to.
 * @param directory the data directory; created if missing
 * @returns a path that ends in `.node`, or undefined in a checkout, where better-sqlite3 finds its own
 * @throws the file system's error when the directory is not writable
 */
export function nativeBindingPath(directory: string): string | undefined {
  return isSea() ? extractAddon(Buffer.from(getRawAsset(assetName)), directory) : undefined;
}

/** Options for better-sqlite3 to open this database. */
export function bindingFor(file: string): { nativeBinding?: string } {
  const nativeBinding = nativeBindingPath(dirname(file));
  return nativeBinding === undefined ? {} : { nativeBinding };
}

/**
 * Writes the addon to `<directory>/native/` unless the file there has exactly these bytes; it differs after an upgrade, or when a power
 * cut damaged it (it is not flushed). Written under another name and renamed, so that no other process loads half a file.
 */
export function extractAddon(addon: Buffer, directory: string): string {
  const folder = join(directory, 'native');
  const path = join(folder, assetName);
  if (existsSync(path) && readFileSync(path).equals(addon)) return path;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomUUID()}`;
  writeFileSync(temporary, addon, { mode: 0o600 });
  renameSync(temporary, path);
  return path;
}
