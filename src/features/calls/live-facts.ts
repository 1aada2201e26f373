import { within } from '../../base/clock.ts';
import type { App } from '../../kernel/app.ts';
import type { Call } from './call.ts';
import type { Carrier, LiveFacts } from './carriers/carrier.ts';
import { liveFactsOf } from './carriers/placing.ts';

/** A carrier that takes longer must not hold up an answer of the API, which then has the figures that were written last. */
const maxWaitMs = 250;

type Facts = ReadonlyMap<string, LiveFacts>;

async function factsFrom(ask: Carrier['liveFacts'], calls: readonly Call[]): Promise<Facts> {
  if (!ask) return new Map();
  const asked = ask(calls.map(({ id }) => id)).catch((): Facts => new Map());
  return within(maxWaitMs, asked, (): Facts => new Map());
}

/** Replaces the figures of live calls by those of this moment: packets, loss and jitter change all the time, and are written at the end. */
export async function withLiveFacts(app: App, calls: readonly Call[]): Promise<Call[]> {
  const live = calls.filter(({ state }) => state !== 'ended' && state !== 'queued');
  const byDriver = [...Map.groupBy(live, ({ driver }) => driver)];
  const answers = await Promise.all(byDriver.map(([driver, own]) => factsFrom(liveFactsOf(app, { driver }), own)));
  const facts = new Map(answers.flatMap((answer) => [...answer]));
  return calls.map((call) => ({ ...call, ...facts.get(call.id) }));
}
