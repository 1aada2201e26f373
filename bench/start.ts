/**
 * Measures a start on a new database, from the process's start to the first 200 of /ready: wall time, and CPU time, which holds on a
 * busy machine too. Also measures the memory of an idle server. The first start fills the compile cache and is not counted.
 *
 *   npm run bench:start [-- --quick] [-- --program dist/parley]
 */
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { medians, quick, report, type Row } from './support/report.ts';
import { serve, usageOf } from './support/serve.ts';

const { values } = parseArgs({ options: { program: { type: 'string' }, quick: { type: 'boolean' } } });
const rounds = quick ? 3 : 9;
/** Lets the garbage of the start be collected before the memory is measured. */
const idleMs = quick ? 500 : 3000;

async function measure(args: readonly string[]): Promise<Record<'readyMs' | 'cpuMs' | 'residentMiB', number>> {
  const server = await serve(args, values.program === undefined ? undefined : resolve(values.program));
  const cpuMs = usageOf(server.pid)?.cpuMs ?? Number.NaN;
  await setTimeout(idleMs);
  const residentMiB = usageOf(server.pid)?.residentMiB ?? Number.NaN;
  await server.stop();
  return { readyMs: server.readyMs, cpuMs, residentMiB };
}

const rows: Row[] = [];
for (const [name, args] of [
  ['serve --data', []],
  ['serve --ephemeral', ['--ephemeral']],
] as const) {
  await measure(args); // warm-up: reads everything from disk
  const results = [];
  for (let round = 0; round < rounds; round++) results.push(await measure(args));
  const { readyMs, cpuMs, residentMiB } = medians(results);
  rows.push(
    { what: `${name}: start to /ready`, parley: readyMs, unit: 'ms', target: { atMost: 500 } },
    { what: `${name}: CPU time of that`, parley: cpuMs, unit: 'ms' },
    { what: `${name}: resident memory when idle`, parley: residentMiB, unit: 'MiB', target: { atMost: 130 } },
  );
}
report(`start: ${values.program ?? 'from source'}, a new database each time`, rows, [`medians of ${rounds} rounds`]);
