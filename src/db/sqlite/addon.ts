import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { getRawAsset, isSea } from 'node:sea';
import { messageOf } from '../../base/errors.ts';
import { makePrivateDirectory, writePrivateFile } from '../../base/files.ts';

/** The asset name under which `.build/package.ts` embeds better-sqlite3's prebuilt addon in the executable. */
const assetName = 'better_sqlite3.node';

/**
 * The path of better-sqlite3's native code, for its `nativeBinding` option. The single executable embeds the addon, but operating systems
 * load native code only from files, so it is written to the data directory, the one place parley may write to.
 * @param directory the data directory; created if missing
 * @returns a path that ends in `.node`, or undefined in a checkout, where better-sqlite3 finds its own
 * @throws an Error that says what to do, when the addon cannot be written there or cannot be loaded from there
 */
export function nativeBindingPath(directory: string): string | undefined {
  if (!isSea()) return undefined;
  const path = extractAddon(Buffer.from(getRawAsset(assetName)), directory);
  loadAddon(path);
  return path;
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
  if (isIntact(path, addon)) return path;
  try {
    makePrivateDirectory(folder);
    writePrivateFile(path, addon, { durable: false });
  } catch (error) {
    // Another process may have unpacked the same addon and then, in the clean-up below, removed the file that we were writing.
    if (isIntact(path, addon)) return path;
    throw new Error(
      `parley could not unpack its database driver: ${messageOf(error)}. Free at least ${Math.ceil(addon.length / 2 ** 20)} MiB of disk space there; if ${folder} belongs to another user, delete it, and parley makes it again.`,
      { cause: error },
    );
  }
  // Remove the files of processes that were killed while they unpacked.
  for (const name of readdirSync(folder)) if (name !== assetName) rmSync(join(folder, name), { force: true });
  return path;
}

function isIntact(path: string, addon: Buffer): boolean {
  try {
    return readFileSync(path).equals(addon);
  } catch {
    return false; // The file is missing or unreadable; the caller writes it again.
  }
}

/** The errors of glibc, musl and macOS for a file system that is mounted with `noexec`; none of them names this reason. */
const refusedByMount = /failed to map segment|Operation not permitted|Permission denied|cannot map|not allowed/i;

/**
 * Loads the addon before better-sqlite3 does (which then uses the loaded one), so that the error of a failure can say what to do.
 * @throws an Error with the reason and what to do, when the addon cannot be loaded
 */
export function loadAddon(path: string, load: (path: string) => unknown = createRequire(process.execPath)): void {
  try {
    load(path);
  } catch (error) {
    const reason = messageOf(error).replace(`${path}: `, '');
    const directory = dirname(dirname(path));
    const advice = refusedByMount.test(reason)
      ? `The file system of ${directory} does not let programs run, probably because it is mounted with the option noexec. Mount it without that option, or choose another data directory (--data).`
      : 'This executable may be made for another operating system or an older one.';
    throw new Error(`parley could not load its database driver ${path} (${reason}). ${advice}`, { cause: error });
  }
}
