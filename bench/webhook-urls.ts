/**
 * Measures how the rate of webhook deliveries depends on the number of URLs, and what one slow URL gets.
 *
 *   npm run bench:webhooks:urls [-- --quick] [-- --urls 10,64,10000] (with --quick 10,64,1000)
 *
 * Each round delivers a backlog of the same size to each number of URLs, one after the other in one process, so the ratios do not depend
 * on the machine. Every event is about a contact of its own.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startChild } from './support/child.ts';
import { deliver } from './support/deliveries.ts';
import { median, progress, quick, report, type Row } from './support/report.ts';
import { makeAgent, startServer } from './support/server.ts';

const listed = process.argv.indexOf('--urls');
const urlCounts = (listed === -1 ? (quick ? '10,64,1000' : '10,64,10000') : process.argv[listed + 1]!)
  .split(',')
  .map(Number);
const events = quick ? 5000 : 20_000;
const rounds = quick ? 3 : 5;
/** A receiver that answers after 50 ms takes at most 20 events a second one by one. */
const slowEvents = quick ? 100 : 400;

type Figures = { perSecond: number; cpuUs: number; lagMs: number };

const receiver = await startChild('receiver.ts');
const url = `http://127.0.0.1:${receiver.ready['port']}`;

/** One server, on which all numbers of URLs are measured in turn. */
async function backlogs(): Promise<Row[]> {
  progress(`makes an endpoint for each of ${urlCounts.join(', ')} URLs`);
  const server = await startServer();
  const groups: string[][] = [];
  for (const count of urlCounts) {
    const agents: string[] = [];
    for (let index = 0; index < count; index++) agents.push(await makeAgent(server, [`${url}/${count}/${index}`]));
    groups.push(agents);
  }
  const results: Figures[][] = [];
  for (let round = 0; round <= rounds; round++) {
    progress(`round ${round} of ${rounds}`);
    const figures: Figures[] = [];
    for (const agents of groups) {
      const lag = monitorEventLoopDelay({ resolution: 1 });
      lag.enable();
      const delivered = await deliver(server, agents, events);
      lag.disable();
      figures.push({ ...delivered, lagMs: lag.percentile(99) / 1e6 });
    }
    if (round > 0) results.push(figures); // the first round is a warm-up
  }
  await server.finish();
  const of = (index: number, figure: keyof Figures): number => median(results.map((one) => one[index]![figure]));
  return urlCounts.flatMap((count, index) => [
    {
      what: `deliveries per second to ${count} URLs, against ${urlCounts[0]}`,
      bare: of(0, 'perSecond'),
      parley: of(index, 'perSecond'),
      target: { atLeast: 0.8 },
    },
    { what: 'CPU per delivery', bare: of(0, 'cpuUs'), parley: of(index, 'cpuUs'), unit: 'µs' },
    { what: "p99 of the event loop's lag", bare: of(0, 'lagMs'), parley: of(index, 'lagMs'), unit: 'ms', digits: 1 },
  ]);
}

/** Deliveries per second to one URL that answers after 50 ms. */
async function toSlowUrl(inFlight: number): Promise<number> {
  progress(`a slow URL, ${inFlight} at a time`);
  const server = await startServer({ 'webhooks.max_in_flight_per_endpoint': String(inFlight) });
  const agent = await makeAgent(server, [`${url}/slow`]);
  const delivered = await deliver(server, [agent], slowEvents);
  await server.finish();
  return delivered.perSecond;
}

const rows = await backlogs();
const [one, eight] = [await toSlowUrl(1), await toSlowUrl(8)];
rows.push({
  what: 'deliveries per second to a URL that answers in 50 ms, 8 at a time against 1',
  bare: one,
  parley: eight,
  target: { atLeast: 7 },
});
await receiver.stop();
report(`webhooks: ${events} events`, rows, [
  `medians of ${rounds} interleaved rounds; "bare" is the first number of URLs`,
]);
