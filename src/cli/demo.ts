import { monotonicMs, systemClock } from '../base/clock.ts';
import { createLog } from '../base/log.ts';
import { settingsIn } from '../features/calls/carriers/driver.ts';
import { simulatedSettings } from '../features/calls/carriers/simulated/driver.ts';
import { type Running, start } from '../main.ts';
import { parleyVersion } from '../base/version.ts';
import { type Command, UsageError } from './command.ts';
import { createApi } from './demo/api.ts';
import { follow } from './demo/follow.ts';
import { liveLine } from './demo/live-line.ts';
import { mostPeople } from './demo/people.ts';
import { type Receiver, startReceiver } from './demo/receiver.ts';
import { begin, seed } from './demo/seed.ts';
import { checkLines, examine, lookAround, outcomeTable } from './demo/summary.ts';
import { configFrom, type Flags, type OwnSettings, readFlags } from './settings.ts';
import { stopSignal } from './signals.ts';

const flag = 'demo';
const settings: OwnSettings = {
  weaker: [
    { path: 'http.port', value: '0', flag },
    { path: 'log.level', value: 'warn', flag },
    { path: 'carrier.simulated.speed', value: '30', flag },
  ],
  stronger: [
    { path: 'carrier.driver', value: 'simulated', flag },
    { path: 'webhooks.allow_http_loopback', value: 'true', flag },
    { path: 'http.public_url', value: 'null', flag },
  ],
};

/** Beside the longest call at the speed chosen (25 s of ringing, 180 s of talk), the time that anything else may stand still. */
const stallMs = (speed: number): number => 30_000 + 205_000 / speed;

export const demo: Command = {
  name: 'demo',
  usage: `[--port PORT] [--contacts ${mostPeople}] [--set PATH=VALUE …] [--exit]`,
  summary:
    'Watch a campaign of simulated calls and its webhooks; --exit ends after it and says by its code how it went.',
  async run(args) {
    const flags = readFlags(args, { exit: { type: 'boolean' }, contacts: { type: 'string' } });
    if (flags['data'] !== undefined) throw new UsageError('demo keeps nothing: it takes no --data');
    const contacts = contactsOf(flags['contacts']);
    const { config } = configFrom(flags, settings);
    const stopRequested = stopSignal();
    const receiver = await startReceiver(systemClock());
    try {
      const running = await start({
        config,
        log: createLog(config.log.level, config.log),
        ephemeral: true,
        checkAnswers: true,
      });
      try {
        // Undefined: interrupted before the end.
        const passed = await Promise.race([perform(running, receiver, contacts), stopRequested]);
        if (passed !== undefined && flags['exit'] !== true) {
          console.log('\nServing until Ctrl-C; then everything is removed.');
          await stopRequested;
        }
        return passed === true ? 0 : 1;
      } finally {
        await running.stop();
      }
    } finally {
      await receiver.close();
    }
  },
};

function contactsOf(value: Flags[string]): number {
  if (value === undefined) return mostPeople;
  const contacts = Number(value);
  if (Number.isInteger(contacts) && contacts >= 1 && contacts <= mostPeople) return contacts;
  throw new UsageError(`--contacts takes a whole number from 1 to ${mostPeople}, not "${String(value)}"`);
}

/** The whole play; whether everything that must hold at its end does. */
async function perform(running: Running, receiver: Receiver, contacts: number): Promise<boolean> {
  const { url, app } = running;
  const apiKey = running.apiKey!; // a first start knows its key
  console.log(`parley ${parleyVersion} serves ${url}`);
  console.log('The carrier is SIMULATED: no telephone rings, nobody is called.\n');
  const api = createApi(url, apiKey);
  const seeded = await seed(api, { webhookUrl: receiver.url, contacts, nowMs: app.clock.now() });
  receiver.trust(seeded.secret);
  const { speed } = settingsIn(app.config, simulatedSettings)['carrier.simulated'];
  console.log(`A campaign of ${seeded.contacts} contacts starts; its calls run at ${speed} times their real pace.`);
  const startedMs = monotonicMs();
  await begin(api, seeded);
  const line = liveLine(process.stdout);
  const progress = await follow({ api, seeded, receiver, clock: app.clock, line, stallMs: stallMs(speed) });
  const seconds = (monotonicMs() - startedMs) / 1000;
  const { checks, totals } = await examine(api, seeded, progress, receiver);
  console.log(`\n${outcomeTable(progress)}\n\n  ${totals}, in ${seconds.toFixed(1)} s\n`);
  console.log(`${checkLines(checks)}\n\n${lookAround(url, apiKey, seeded)}`);
  return checks.every(({ passed }) => passed);
}
