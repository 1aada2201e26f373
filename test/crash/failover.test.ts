import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { failOver } from './failover.ts';
import { noVolumes } from './volume.ts';

const seed = Number(process.env['PARLEY_CRASH_SEED'] ?? Math.floor(Math.random() * 1e9));
const moves = Number(process.env['PARLEY_FAILOVERS'] ?? 2);
const contacts = Number(process.env['PARLEY_FAILOVER_CONTACTS'] ?? 20_000);
const settings = `PARLEY_CRASH_SEED=${seed} PARLEY_FAILOVERS=${moves} PARLEY_FAILOVER_CONTACTS=${contacts}`;

test(
  `a volume that another machine attaches after a power cut has every answered write, and nobody is called twice (${settings})`,
  { skip: noVolumes, timeout: 1_800_000 },
  async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'parley-volume-'));
    t.after(() => rmSync(directory, { recursive: true, force: true }));
    t.diagnostic(
      JSON.stringify(await failOver({ directory, seed, moves, contacts, tell: (text) => t.diagnostic(text) })),
    );
  },
);
