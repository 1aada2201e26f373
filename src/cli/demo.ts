import { rmSync } from 'node:fs';
import { monotonicMs, systemClock } from '../base/clock.ts';
import type { Config } from '../base/config/schema.ts';
import { createLog } from '../base/log.ts';
import { settingsIn } from '../features/calls/carriers/driver.ts';
import { simulatedSettings } from '../features/calls/carriers/simulated/driver.ts';
import { type Running, start } from '../main.ts';
import { speechSettings } from '../talking/speech/settings.ts';
import { parleyVersion } from '../base/version.ts';
import { type Command, UsageError } from './command.ts';
import { createApi } from './demo/api.ts';
import { follow } from './demo/follow.ts';
import { liveLine } from './demo/live-line.ts';
import { keepOneCall } from './demo/long-call.ts';
import { makePast, type Past } from './demo/past.ts';
import { maxPeople, usualPeople } from './demo/people.ts';
import { callPhone } from './demo/sip.ts';
import { type Receiver, startReceiver } from './demo/receiver.ts';
import { activate, seed } from './demo/seed.ts';
import { checkLines, curlCommands, outcomeTable, runChecks } from './demo/summary.ts';
import { type CommandSettings, configFrom, type Flags, readFlags } from './settings.ts';
import { stopSignal } from './signals.ts';

const flag = 'demo';
const settings: CommandSettings = {
  presets: [
    { path: 'http.port', value: '0', flag },
    { path: 'log.level', value: 'warn', flag },
    { path: 'carrier.simulated.speed', value: '30', flag },
    { path: 'speech.engine', value: 'echo', flag },
    // Opened only if somebody gives a number of the demo the carrier `sip`.
    { path: 'sip.host', value: '127.0.0.1', flag },
    { path: 'sip.port', value: '0', flag },
  ],
  fixed: [
    { path: 'carrier.driver', value: 'simulated', flag },
    { path: 'webhooks.allow_http_loopback', value: 'true', flag },
    { path: 'http.public_url', value: 'null', flag },
  ],
};

/** Where somebody watches, the calls of the campaign start within this time, so that it goes on for about a minute. */
const startsWithinSec = 40;

/** The demo gives up when nothing has changed for this long: 30 s, plus the longest call (25 s of ringing, 180 s of talk) at its speed. */
const stallMs = (speed: number): number => 30_000 + 205_000 / speed;

export const demo: Command = {
  name: 'demo',
  usage: `[--port PORT] [--contacts ${usualPeople}] [--sip sip:you@127.0.0.1:5070] [--set PATH=VALUE …] [--exit]`,
  summary:
    'Run a campaign of simulated calls and watch its calls and webhooks. With --exit, stop afterwards and exit with 1 if a check failed. With --sip, ring a softphone instead: it hears a greeting and then itself.',
  async run(args) {
    const flags = readFlags(args, { exit: { type: 'boolean' }, contacts: { type: 'string' }, sip: { type: 'string' } });
    if (flags['data'] !== undefined)
      throw new UsageError('demo takes no --data, because it keeps its data in a temporary directory');
    if (typeof flags['sip'] === 'string') return callPhone(flags['sip'], flags);
    const isSeen = flags['exit'] !== true;
    const contacts = contactsOf(flags['contacts'], isSeen ? usualPeople : maxPeople);
    const pace = isSeen ? { callsPerSecond: Math.ceil(contacts / startsWithinSec) } : {};
    const { config } = configFrom(flags, settings);
    const stopRequested = stopSignal();
    const log = createLog(config.log.level, config.log);
    const receiver = await startReceiver(systemClock());
    // Who only wants the checks does not look at the dashboard.
    const past = isSeen ? await pastOf(config) : undefined;
    const leaving = new AbortController();
    try {
      const place = past
        ? { config: { ...config, data: past.directory }, keepsNothing: true }
        : { config, ephemeral: true };
      const running = await start({ ...place, log, checkAnswers: true });
      try {
        const apiKey = past?.apiKey ?? running.apiKey!; // a first start always has it
        if (past) void beOnThePhone(running, past, leaving.signal);
        // Undefined when a signal came before the end.
        const passed = await Promise.race([perform({ running, apiKey, receiver, contacts, pace }), stopRequested]);
        if (passed !== undefined && isSeen) {
          console.log('\nThe server keeps running. Press Ctrl-C to stop it and remove all its data.');
          await stopRequested;
        }
        return passed === true ? 0 : 1;
      } finally {
        leaving.abort();
        await running.stop();
      }
    } finally {
      await receiver.close();
      if (past) rmSync(past.directory, { recursive: true, force: true });
    }
  },
};

/** Its endpoint that fails is part of the picture, so that nothing is said of it here. */
function pastOf(config: Config): Promise<Past> {
  const { timeZone: timezone } = new Intl.DateTimeFormat().resolvedOptions();
  console.log('Calling for a week, under a clock that runs ahead …');
  return makePast({ config, log: createLog('error', config.log), nowMs: systemClock().now(), timezone });
}

/** Somebody is on the phone at any time, long enough to be helped. */
function beOnThePhone({ url, app }: Running, { apiKey, english: caller }: Past, signal: AbortSignal): Promise<void> {
  const { speed } = settingsIn(app.config, simulatedSettings)['carrier.simulated'];
  return keepOneCall({ api: createApi(url, apiKey), clock: app.clock, speed, caller, signal });
}

function contactsOf(value: Flags[string], usual: number): number {
  if (value === undefined) return usual;
  const contacts = Number(value);
  if (Number.isInteger(contacts) && contacts >= 1 && contacts <= maxPeople) return contacts;
  throw new UsageError(`--contacts must be a whole number from 1 to ${maxPeople}, not "${String(value)}"`);
}

/** Where a person talks to the agent in the browser, once the dashboard is set up. */
function talkingLine(config: Config, link: string): string {
  const { engine } = settingsIn(config, { speech: speechSettings }).speech;
  if (engine === null) return `The agent Ava: ${link}\n`;
  return `Talk to the agent Ava${engine === 'echo' ? ', who says back what she hears' : ''}: ${link}\n`;
}

type Performance = {
  running: Running;
  apiKey: string;
  receiver: Receiver;
  contacts: number;
  pace: { callsPerSecond?: number };
};

/** Runs the campaign from its creation to its end. Resolves with whether all checks passed. */
async function perform({ running, apiKey, receiver, contacts, pace }: Performance): Promise<boolean> {
  const { url, app } = running;
  console.log(`parley ${parleyVersion} serves ${url}`);
  console.log('The carrier is SIMULATED: no telephone rings, and nobody is called.');
  console.log(`Set up the dashboard: ${running.setupUrl}\n`); // a first start always has it
  const api = createApi(url, apiKey);
  const seeded = await seed(api, { webhookUrl: receiver.url, contacts, ...pace, nowMs: app.clock.now() });
  receiver.trust(seeded.secret);
  const { speed } = settingsIn(app.config, simulatedSettings)['carrier.simulated'];
  console.log(talkingLine(app.config, `${url}/agents/${seeded.agentId}`));
  console.log(`A campaign of ${seeded.contacts} contacts starts; its calls run at ${speed} times real speed.`);
  const startedMs = monotonicMs();
  await activate(api, seeded);
  const line = liveLine(process.stdout);
  const progress = await follow({ api, seeded, receiver, clock: app.clock, line, stallMs: stallMs(speed) });
  const seconds = (monotonicMs() - startedMs) / 1000;
  const { checks, totals } = await runChecks(api, seeded, progress, receiver);
  console.log(`\n${outcomeTable(progress)}\n\n  ${totals}, in ${seconds.toFixed(1)} s\n`);
  console.log(`${checkLines(checks)}\n\n${curlCommands(url, apiKey, seeded)}`);
  console.log(`\n  Report   ${url}/campaigns/${seeded.campaignId}`);
  return checks.every(({ passed }) => passed);
}
