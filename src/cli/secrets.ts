// oxlint-disable-next-line no-restricted-imports -- real time: other nodes look at their secrets file every few seconds
import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../base/clock.ts';
import type { PreparedKey, Reencrypted } from '../main/rotate-encryption-key.ts';
import { administer, configOf, dataUsage } from './administer.ts';
import { type Command, UsageError } from './command.ts';
import { type Flags, readArguments } from './settings.ts';

export const secrets: Command = {
  name: 'secrets',
  usage: `rotate [--wait 10m] ${dataUsage}`,
  summary: 'Create a new encryption key and re-encrypt every stored secret with it, also while the server runs.',
  async run(args) {
    const [verb, ...rest] = args;
    if (verb !== 'rotate') throw new UsageError('secrets has one subcommand: rotate');
    const { flags } = readArguments(rest, [], { wait: { type: 'string' } });
    const waitMs = durationOf(flags['wait'] ?? '10m');
    if (configOf(flags).store.url !== null && !(await isKnownToAll(flags, waitMs))) return 1;
    const done = (await administer(flags, 'secrets.rotate', {})) as Reencrypted;
    console.log(`${done.reencrypted} stored secrets were re-encrypted with the new key.`);
    if (done.unreadable === 0) return 0;
    console.error(`${done.unreadable} cannot be decrypted with any key in secrets.json; the log names them.`);
    return 1;
  },
};

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** @throws UsageError for anything but a number and a unit, such as 90s or 10m */
function durationOf(value: Flags[string]): number {
  const { number, unit } = /^(?<number>\d{1,5})(?<unit>[smh])$/.exec(String(value))?.groups ?? {};
  if (number === undefined) throw new UsageError(`--wait must be a time like 90s, 10m or 1h, not "${String(value)}"`);
  return Number(number) * unitMs[unit!]!;
}

const askAgainMs = 1000;

/** Makes the new key and waits until every live node knows it. False if one still does not after that time. */
async function isKnownToAll(flags: Flags, waitMs: number): Promise<boolean> {
  const startedMs = monotonicMs();
  let named = '';
  for (;;) {
    const { keyId, file, waitsFor } = (await administer(flags, 'secrets.prepare', {})) as PreparedKey;
    if (waitsFor.length === 0) return true;
    const nodes = waitsFor.join(', ');
    if (monotonicMs() - startedMs >= waitMs) {
      console.error(`Nothing was re-encrypted, since these nodes do not know the new key ${keyId}: ${nodes}.`);
      return false;
    }
    if (nodes !== named)
      console.error(
        `Waiting until these nodes know the new key ${keyId}: ${nodes}. Unless they share ${file}, copy it to them.`,
      );
    named = nodes;
    await pause(askAgainMs);
  }
}
