import { within } from '../../base/clock.ts';
import type { App } from '../../kernel/app.ts';
import type { Call, SipFacts } from './call.ts';
import type { Carrier } from './carriers/carrier.ts';
import { carrierOf } from './carriers/placing.ts';

/** A carrier that takes longer must not hold up an answer of the API, which then has the figures that were written last. */
const maxWaitMs = 250;

type Facts = ReadonlyMap<string, SipFacts>;

async function factsFrom(carrier: Carrier, calls: readonly Call[]): Promise<Facts> {
  if (!carrier.liveFacts) return new Map();
  const asked = carrier.liveFacts(calls.map(({ id }) => id)).catch((): Facts => new Map());
  return within(maxWaitMs, asked, (): Facts => new Map());
}

/** Replaces the figures of live calls by those of this moment: packets, loss and jitter change all the time, and are written at the end. */
export async function withLiveFacts(app: App, calls: readonly Call[]): Promise<Call[]> {
  const live = calls.filter(({ state }) => state !== 'ended' && state !== 'queued');
  const byCarrier = [...Map.groupBy(live, (call) => carrierOf(app, call))];
  const answers = await Promise.all(byCarrier.map(([carrier, own]) => factsFrom(carrier, own)));
  const facts = new Map(answers.flatMap((answer) => [...answer]));
  return calls.map((call) => ({ ...call, sip: facts.get(call.id) ?? call.sip }));
}
