import { chmodSync, chownSync, globSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { scratch } from './support.ts';

export const isRoot = process.geteuid?.() === 0;
/** The id of user and group `nobody` on most systems. The tests only give files to that user; no program runs as it. */
const serviceUser = 65_534;

/** A data directory that belongs to the service's user, in a directory that this user may enter. */
export function directoryOfService(t: TestContext): string {
  const parent = scratch(t);
  chmodSync(parent, 0o755);
  const data = join(parent, 'data');
  mkdirSync(data, { mode: 0o700 });
  chownSync(data, serviceUser, serviceUser);
  return data;
}

/** The files in a directory that do not belong to the service's user. */
export const foreign = (directory: string): string[] =>
  globSync(`${directory}/**`).filter((path) => {
    const { uid, gid } = lstatSync(path);
    return uid !== serviceUser || gid !== serviceUser;
  });
