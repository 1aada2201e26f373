import { globSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import type { Config } from '../base/config/schema.ts';
import { messageOf } from '../base/errors.ts';
import { parleyVersion } from '../base/version.ts';
import { openDatabase } from '../db/sqlite/open.ts';
import { secretsBeside } from '../main/backup.ts';
import { askRunning } from '../main/control/client.ts';
import { holdsData } from '../main/data-directory.ts';
import { type Finding, finding, permissionFinding, soundness } from '../main/examination.ts';
import { withStore } from '../main/offline.ts';
import { performTask } from '../main/tasks.ts';
import { configOf, dataUsage } from './administer.ts';
import type { Command } from './command.ts';
import { readArguments } from './settings.ts';

export const doctor: Command = {
  name: 'doctor',
  usage: `[--json] ${dataUsage}`,
  summary: 'Examine an installation, running or not; 1 when something does not work.',
  async run(args) {
    const { flags } = readArguments(args, [], { json: { type: 'boolean' } });
    const config = configOf(flags);
    const findings = await findingsOf(config).catch((error: unknown) => [
      finding('database', 'fail', messageOf(error)),
    ]);
    const isWell = findings.every(({ status }) => status !== 'fail');
    const lines = findings.map(({ check, status, message }) => `${status.padEnd(4)}  ${check.padEnd(11)}  ${message}`);
    const report = { version: parleyVersion, data: resolve(config.data), ok: isWell, findings };
    console.log(flags['json'] === true ? JSON.stringify(report, null, 2) : lines.join('\n'));
    return isWell ? 0 : 1;
  },
};

async function findingsOf(config: Config): Promise<Finding[]> {
  const data = resolve(config.data);
  if (!holdsData(data))
    return [finding('data', 'fail', `there is no data in ${data}; start parley serve, or name it with --data`)];
  const permissions = permissionFinding([data, ...globSync(join(data, '{parley.db,secrets.json}*'))]);
  const running = await askRunning(data, { task: 'doctor', args: {} });
  if (running) {
    const told = running.result as Finding[];
    return [finding('server', 'ok', 'a server runs'), permissions, await soundnessOfCopy(data, told), ...told];
  }
  return withStore(config, async (context) => [
    finding('server', 'ok', 'no server runs'),
    permissions,
    await soundness(context.app.db),
    ...((await performTask(context)({ task: 'doctor', args: {} })) as Finding[]),
  ]);
}

/** Examined in this process, on a copy: reading all of a database would hold up the server that has it open. */
async function soundnessOfCopy(data: string, told: readonly Finding[]): Promise<Finding> {
  if (told.some(({ check, status }) => check === 'space' && status !== 'ok')) {
    return finding('database', 'warn', 'not examined: there is little room for the copy that this takes');
  }
  const copy = join(data, `examined-${process.pid}.db`);
  try {
    await askRunning(data, { task: 'backup', args: { file: copy } });
    const database = await openDatabase({ file: copy, nowMs: systemClock().now(), throwAway: true });
    try {
      return await soundness(database.db);
    } finally {
      database.close();
    }
  } finally {
    for (const file of [...globSync(`${copy}*`), secretsBeside(copy)]) rmSync(file, { force: true });
  }
}
