import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyLargeFile, makePrivateDirectory } from '../../../base/files.ts';
import type { App } from '../../../kernel/app.ts';
import { pathOf, recordingsDirectory } from './files.ts';
import * as store from './store.ts';

/** Copies of recordings beside a backup: the same folders and names as in the directory of recordings. */

const pageSize = 500;

/**
 * Copies the files of all recordings into a directory, one after the other; of live calls what there is. Recordings that are deleted meanwhile
 * are left out.
 */
export async function copyRecordings(app: App, dataDirectory: string, to: string): Promise<void> {
  const from = recordingsDirectory(app.config, dataDirectory);
  for (let after = ''; ;) {
    const page = await store.recordingsAfter(app.db, after, pageSize);
    for (const recording of page) {
      const path = pathOf(recording);
      if (existsSync(join(from, path))) await copied(join(from, path), join(to, path));
    }
    if (page.length < pageSize) return;
    after = page.at(-1)!.callId;
  }
}

async function copied(from: string, to: string): Promise<void> {
  makePrivateDirectory(dirname(to));
  try {
    await copyLargeFile(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error; // deleted meanwhile
  }
}

/** Puts copies back where recordings lie; those that are there stay as they are. Returns how many came back. */
export async function bringBackRecordings(from: string, to: string): Promise<number> {
  let count = 0;
  for (const path of await readdir(from, { recursive: true })) {
    if (!path.endsWith('.wav') || existsSync(join(to, path))) continue;
    makePrivateDirectory(dirname(join(to, path)));
    await copyLargeFile(join(from, path), join(to, path));
    count += 1;
  }
  return count;
}
