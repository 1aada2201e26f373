import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { FORMATS } from '../../base/config/formats.ts';
import type { Config } from '../../base/config/schema.ts';
import type { TableSummary } from '../../db/copy/tables.ts';
import { recordingsDirectory } from '../../features/calls/recordings/files.ts';
import { type Place, secretsFileOf } from '../../main/copy-places.ts';
import { copyStore, shownPlace } from '../../main/store-copy.ts';
import { configOf, required } from '../administer.ts';
import { UsageError } from '../command.ts';
import { readArguments } from '../settings.ts';

/** `parley store copy`. */
export async function copy(args: readonly string[]): Promise<number> {
  const { flags } = readArguments(args, [], { to: { type: 'string' }, from: { type: 'string' } });
  const config = configOf(flags);
  const to = placeOf(required(flags, 'to'), '--to');
  const given = flags['from'];
  const from = typeof given === 'string' ? placeOf(given, '--from') : { directory: resolve(config.data) };
  await copyStore(config, { from, to, nowMs: systemClock().now(), onTable: (table) => console.log(lineOf(table)) });
  console.log(`${shownPlace(from)} was moved to ${shownPlace(to)}.`);
  for (const note of notesOn(config, from, to)) console.error(note);
  return 0;
}

const lineOf = ({ table, rows, digest }: TableSummary): string => `${table.padEnd(26)} ${rows} rows  ${digest}`;

/** `postgres://…`, or a data directory: `sqlite:DIR`, the path of its parley.db, or DIR alone. @throws UsageError */
function placeOf(text: string, flag: string): Place {
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]+):(.*)$/i.exec(text) ?? [];
  if (scheme === undefined || rest === undefined) return { directory: directoryOf(text, flag) };
  if (/^postgres(?:ql)?$/i.test(scheme)) {
    if (!FORMATS.store_url.test(text)) throw new UsageError(`${flag} must be ${FORMATS.store_url.words}`);
    return { url: text };
  }
  if (/^(?:sqlite|file)$/i.test(scheme)) return { directory: directoryOf(rest.replace(/^\/\//, ''), flag) };
  throw new UsageError(`${flag} must be postgres://… or sqlite:DIR, not "${text}"`);
}

function directoryOf(path: string, flag: string): string {
  if (path === '') throw new UsageError(`${flag} names no directory`);
  return resolve(basename(path) === 'parley.db' ? dirname(path) : path);
}

/** Says where the files of the installation are that its database does not hold. */
function notesOn(config: Config, from: Place, to: Place): string[] {
  const source = 'directory' in from ? { ...config, data: from.directory } : config;
  const recordings = recordingsDirectory(source, source.data);
  const isElsewhere = !('directory' in to) || to.directory !== resolve(source.data);
  return [
    secretsNote(source, to),
    ...(isElsewhere && existsSync(recordings)
      ? [`The recordings of calls stay in ${recordings}; copy them into the data directory that is served.`]
      : []),
  ];
}

function secretsNote(source: Config, to: Place): string {
  if ('url' in to) return `Every node needs the secrets in ${resolve(secretsFileOf(source))}.`;
  const secrets = resolve(to.directory, 'secrets.json');
  return existsSync(secrets)
    ? `The secrets are in ${secrets}.`
    : `Before you serve it, copy the secrets file of the installation to ${secrets}; --data DIR copies it from there.`;
}
