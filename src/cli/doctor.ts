import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../base/config/schema.ts';
import { messageOf } from '../base/errors.ts';
import { parleyVersion } from '../base/version.ts';
import { type DialectName, dialectOf } from '../db/dialect.ts';
import type { ExaminationScope } from '../db/open-database.ts';
import { examineShared } from '../db/sqlite/integrity.ts';
import { requestRunningServer } from '../main/control/client.ts';
import { holdsData, privateFilesOf } from '../main/data-directory.ts';
import { integrityFinding, permissionFinding } from '../main/diagnostics.ts';
import { type Finding, finding } from '../main/finding.ts';
import { dataChecks } from '../main/kept-numbers.ts';
import { withStore } from '../main/offline.ts';
import type { TaskContext } from '../main/task-context.ts';
import { performTask } from '../main/tasks.ts';
import { configOf, dataUsage } from './administer.ts';
import type { Command } from './command.ts';
import { readArguments } from './settings.ts';

export const doctor: Command = {
  name: 'doctor',
  usage: `[--json] [--full] ${dataUsage}`,
  summary: 'Check an installation, running or not. Exits with 1 when something does not work.',
  async run(args) {
    const { flags } = readArguments(args, [], { json: { type: 'boolean' }, full: { type: 'boolean' } });
    const config = configOf(flags);
    const findings = await findingsOf(config, flags['full'] === true).catch((error: unknown) => [
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

async function findingsOf(config: Config, full: boolean): Promise<Finding[]> {
  const data = resolve(config.data);
  const onServer = config.store.url !== null;
  if (!(onServer ? existsSync(data) : holdsData(data)))
    return [
      finding('data', 'fail', `there is no data in ${data}; name another directory with --data, or run parley serve`),
    ];
  const file = join(data, 'parley.db');
  const permissions = permissionFinding(privateFilesOf(data));
  const running = await requestRunningServer(data, { task: 'doctor', args: { config } });
  if (running) {
    const reported = running.result as Finding[];
    return [
      finding('server', 'ok', 'the server is running'),
      permissions,
      // Examines the database in this process, because it would delay the server's other work.
      onServer
        ? await withStore(config, (context) => examined(context, full))
        : integrityFinding(await examineShared(file, scopeOf('sqlite', statSync(file).size, full))),
      ...reported,
    ];
  }
  return withStore(config, async (context) => [
    finding('server', 'ok', onServer ? 'this node is not the active one' : 'no server is running'),
    permissions,
    await examined(context, full),
    ...((await performTask(context)({ task: 'doctor', args: {} })) as Finding[]),
  ]);
}

/** A larger database is read in part, unless `--full` is given: otherwise a check would take minutes. */
const maxBytes = 512 * 1_048_576;
/** Of a large database, tables with more rows than this are not checked. */
const maxRows = 100_000;

const scopeOf = (dialect: DialectName, bytes: number, full: boolean): ExaminationScope => ({
  checks: dataChecks(dialect),
  maxRows: full || bytes <= maxBytes ? undefined : maxRows,
});

async function examined({ app, database, directory }: TaskContext, full: boolean): Promise<Finding> {
  const bytes = await (database.bytes?.() ?? statSync(join(directory.path, 'parley.db')).size);
  return integrityFinding(await database.examine(scopeOf(dialectOf(app.db), bytes, full)));
}
