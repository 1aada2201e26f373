import { globSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import type { Config } from '../base/config/schema.ts';
import { messageOf } from '../base/errors.ts';
import { parleyVersion } from '../base/version.ts';
import { openDatabase } from '../db/sqlite/open.ts';
import { secretsBeside } from '../main/backup.ts';
import { requestRunningServer } from '../main/control/client.ts';
import { holdsData } from '../main/data-directory.ts';
import { integrityFinding, permissionFinding } from '../main/diagnostics.ts';
import { type Finding, finding } from '../main/finding.ts';
import { withStore } from '../main/offline.ts';
import { performTask } from '../main/tasks.ts';
import { configOf, dataUsage } from './administer.ts';
import type { Command } from './command.ts';
import { readArguments } from './settings.ts';

export const doctor: Command = {
  name: 'doctor',
  usage: `[--json] ${dataUsage}`,
  summary: 'Check an installation, running or not. Exits with 1 when something does not work.',
  async run(args) {
    const { flags } = readArguments(args, [], { json: { type: 'boolean' } });
    const config = configOf(flags);
    const findings = await findingsOf(config).catch((error: unknown) => [
      finding('database', 'fail', messageOf(error)),
    ]);
    const ok = findings.every(({ status }) => status !== 'fail');
    const lines = findings.map(lineOf);
    const report = { version: parleyVersion, data: resolve(config.data), ok, findings };
    console.log(flags['json'] === true ? JSON.stringify(report, null, 2) : lines.join('\n'));
    return ok ? 0 : 1;
  },
};

const lineOf = ({ check, status, message, duration_ms: ms }: Finding): string =>
  `${status.padEnd(4)}  ${check.padEnd(11)}  ${message}${ms === undefined ? '' : ` (${ms} ms)`}`;

async function findingsOf(config: Config): Promise<Finding[]> {
  const data = resolve(config.data);
  if (!holdsData(data))
    return [
      finding('data', 'fail', `there is no data in ${data}; name another directory with --data, or run parley serve`),
    ];
  const permissions = permissionFinding([data, ...globSync(join(data, '{parley.db,secrets.json}*'))]);
  const running = await requestRunningServer(data, { task: 'doctor', args: {} });
  if (running) {
    const reported = running.result as Finding[];
    return [
      finding('server', 'ok', 'the server is running'),
      permissions,
      await integrityOfCopy(data, reported),
      ...reported,
    ];
  }
  return withStore(config, async (context) => [
    finding('server', 'ok', 'no server is running'),
    permissions,
    await integrityFinding(context.database),
    ...((await performTask(context)({ task: 'doctor', args: {} })) as Finding[]),
  ]);
}

/** Checks a copy in this process, because reading the whole database in the server would delay its other work. */
async function integrityOfCopy(data: string, reported: readonly Finding[]): Promise<Finding> {
  if (reported.some(({ check, status }) => check === 'space' && status !== 'ok')) {
    return finding('database', 'warn', 'not checked: the check needs a copy of the database, and disk space is low');
  }
  const copy = join(data, `examined-${process.pid}.db`);
  try {
    await requestRunningServer(data, { task: 'backup', args: { file: copy } });
    const database = await openDatabase({ file: copy, nowMs: systemClock().now(), throwAway: true });
    try {
      return await integrityFinding(database);
    } finally {
      database.close();
    }
  } finally {
    for (const file of [...globSync(`${copy}*`), secretsBeside(copy)]) rmSync(file, { force: true });
  }
}
