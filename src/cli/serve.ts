import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { writePrivateFile } from '../base/files.ts';
import { createLog } from '../base/log.ts';
import { type Running, start, type StartOptions } from '../main.ts';
import { messageOf } from '../base/errors.ts';
import { serviceManager } from '../main/service-manager.ts';
import { parleyVersion } from '../base/version.ts';
import { type Command, UsageError } from './command.ts';
import { configFrom, type Flags, readFlags } from './settings.ts';
import { onHangUp, stopSignal } from './signals.ts';

export const serve: Command = {
  name: 'serve',
  usage:
    '[--config FILE] [--data DIR] [--host 127.0.0.1] [--port 8080] [--set PATH=VALUE …] [--ephemeral] [--test-clock [TIME]] [--seed N] [--ready-file FILE]',
  summary: 'Run the server.',
  async run(args) {
    const flags = readFlags(withOptionalValue(args, '--test-clock'), {
      ephemeral: { type: 'boolean' },
      'test-clock': { type: 'string' },
      seed: { type: 'string' },
      'ready-file': { type: 'string' },
    });
    const options = optionsFrom(flags);
    const readyFile = flags['ready-file'];
    if (typeof readyFile === 'string') removeStaleReadyFile(readyFile);
    const stopRequested = stopSignal();
    const manager = serviceManager(process.env, options.log);
    let started: Running | undefined = undefined;
    onHangUp(async () => started && reload(started, flags));
    const standby = new AbortController();
    void stopRequested.then(() => standby.abort());
    try {
      started = await start({ ...options, stopping: standby.signal });
    } catch (error) {
      if (standby.signal.aborted) return 0; // it stood by
      throw error;
    }
    const running = started;
    try {
      // On standard output, because the log goes to standard error. Before the ready file: the banner is the only place that shows
      // the first key, so a ready file that cannot be written must not prevent it.
      console.log(banner(running, options));
      if (typeof readyFile === 'string') writePrivateFile(readyFile, readyText(running), { durable: false });
      options.log.info({ version: parleyVersion, url: running.url }, 'serving');
      manager.ready();
      await stopRequested;
      manager.stopping();
      options.log.info('stopping');
    } finally {
      await running.stop();
    }
    options.log.info('stopped');
    return 0;
  },
};

/** Reads the configuration and the certificate again. One that cannot be used changes nothing. */
async function reload(running: Running, flags: Flags): Promise<void> {
  const { log } = running.app;
  try {
    const { taken, needRestart } = await running.reload(configFrom(flags).config);
    log.info({ taken, needRestart }, 'the configuration was read again');
  } catch (error) {
    log.error({ error: messageOf(error) }, 'the configuration cannot be used; nothing has changed');
  }
}

/** Adds an empty value to a flag without one: Node's parser has no optional values. `--test-clock` alone starts at the present time. */
function withOptionalValue(args: readonly string[], flag: string): string[] {
  return args.map((arg, index) => {
    const next = args[index + 1];
    return arg === flag && (next === undefined || next.startsWith('-')) ? `${flag}=` : arg;
  });
}

function optionsFrom(flags: Flags): StartOptions {
  const { config } = configFrom(flags);
  const ephemeral = flags['ephemeral'] === true;
  const testClock = testClockOf(flags['test-clock'], ephemeral);
  const seed = seedOf(flags['seed'], ephemeral);
  return {
    config,
    log: createLog(config.log.level, config.log),
    ephemeral,
    ...(testClock === undefined ? {} : { testClock }),
    ...(seed === undefined ? {} : { seed }),
    checkAnswers: ephemeral,
    bootstrap: { apiKey: process.env['PARLEY_BOOTSTRAP_API_KEY'], orgId: process.env['PARLEY_BOOTSTRAP_ORG_ID'] },
  };
}

function seedOf(value: Flags[string], ephemeral: boolean): number | undefined {
  if (typeof value !== 'string') return undefined;
  if (!ephemeral)
    throw new UsageError('--seed needs --ephemeral, because ids that can be foreseen are unfit for real data');
  const seed = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(seed)) return seed;
  throw new UsageError(`--seed must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, not "${value}"`);
}

function testClockOf(value: Flags[string], ephemeral: boolean): number | true | undefined {
  if (typeof value !== 'string') return undefined;
  if (!ephemeral) throw new UsageError('--test-clock needs --ephemeral, because a test clock would corrupt real data');
  if (value === '') return true;
  try {
    return Temporal.Instant.from(value).epochMilliseconds;
  } catch {
    throw new UsageError(`--test-clock must be an ISO 8601 time like 2026-03-02T09:00:00Z, not "${value}"`);
  }
}

/** Removes the ready file of a server that is gone, so that nobody takes it for this one's. That of a running server stays. */
function removeStaleReadyFile(path: string): void {
  let pid: unknown;
  try {
    ({ pid } = JSON.parse(readFileSync(path, 'utf8')) as { pid?: unknown });
  } catch {
    return; // There is none, or it is not a ready file.
  }
  if (typeof pid === 'number' && !isOtherProcess(pid)) rmSync(path, { force: true });
}

/** Containers give a restarted process the same id. */
function isOtherProcess(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const readyText = (running: Running): string =>
  `${JSON.stringify({
    url: running.url,
    org_id: running.orgId,
    api_key: running.apiKey,
    access_token: running.accessToken,
    pid: process.pid,
    version: parleyVersion,
    setup_url: running.setupUrl,
  })}\n`;

function banner(running: Running, { ephemeral, bootstrap }: StartOptions): string {
  const lines = [`parley ${parleyVersion} serves ${running.url}`];
  lines.push(
    ephemeral
      ? 'All data is in a temporary directory that is removed when the server stops.'
      : running.app.config.store.url === null
        ? `The data is in ${resolve(running.app.config.data)}.`
        : 'The data is in the database of store.url.',
    `Guides and reference: ${running.url}/docs`,
  );
  if (running.simulated) lines.push('The carrier is SIMULATED: no telephone rings.');
  if (running.isFirstStart) {
    const given = bootstrap?.apiKey !== undefined;
    lines.push(
      `Organization: ${running.orgId}`,
      given
        ? 'Admin API key: the value of PARLEY_BOOTSTRAP_API_KEY'
        : `Admin API key (shown only once): ${running.apiKey}`,
    );
  }
  if (running.setupUrl !== null) lines.push(`Set up the dashboard: ${running.setupUrl}`);
  lines.push('Stop it with Ctrl-C or SIGTERM.');
  return lines.join('\n');
}
