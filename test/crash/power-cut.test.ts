import { test } from 'node:test';
import { cutPower } from './power-cut.ts';

const seed = Number(process.env['PARLEY_CRASH_SEED'] ?? Math.floor(Math.random() * 1e9));
const cuts = Number(process.env['PARLEY_POWER_CUTS'] ?? 50);

test(`${cuts} power cuts lose no acknowledged write (PARLEY_CRASH_SEED=${seed} PARLEY_POWER_CUTS=${cuts})`, async (t) => {
  t.diagnostic(JSON.stringify(await cutPower(seed, cuts)));
});
