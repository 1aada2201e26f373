import type { Clock } from '../../base/clock.ts';
import type { Api } from './api.ts';

/** Whose calls last: agent, caller number and the campaign in which the people called are found. */
export type LongCaller = { agentId: string; phoneNumberId: string; campaignId: string };

type Options = { api: Api; clock: Clock; speed: number; caller: LongCaller; signal: AbortSignal };

/** In real time: the others last some seconds, too short to read along, say a sentence and hang up. */
const [ringsMs, talksMs, betweenMs] = [4000, 150_000, 4000];
/** The person hangs up so long before the scripted end, which would be a goal that was met. */
const hangsUpEarlyMs = 2000;
const pollEveryMs = 1000;
/** The longest that a call may be scripted to ring, and the longest that the agent may talk. */
const [maxRingMs, maxTalkMs] = [600_000, 3_600_000];

/** A call that goes wrong, so that there is a reason to take it over. */
const transcript = [
  ['agent', 'Good day, this is Olivia of Harrow and Finch. Do you have a minute?'],
  ['user', 'If it is quick. I am at work.'],
  ['agent', 'Your home insurance ends on the thirtieth. Shall I renew it for another year?'],
  ['user', 'At the same price? You raised it last year, too.'],
  ['agent', 'The price stays the same.'],
  ['user', 'Your letter says nine per cent more. I have it here.'],
  ['agent', 'The price stays the same. Shall I renew it for another year?'],
  ['user', 'Then one of you is wrong. I want to talk to a person.'],
  ['agent', 'I can renew it right now. It only takes a minute.'],
  ['user', 'No. Is there nobody I can talk to?'],
  ['agent', 'Shall I renew it for another year?'],
  ['user', 'You are not listening to me.'],
  ['agent', 'It only takes a minute.'],
  ['user', 'I am going to hang up now.'],
].map(([role, text]) => ({ role, text }));

type Call = { state: string };
type Contact = { contact_id: string; phone: string };

/**
 * Keeps one call under way that lasts minutes at any speed of the simulated carrier, until `signal` is aborted. Whoever opted out is left
 * out, and while all calling is stopped it waits.
 */
export async function keepOneCall({ api, clock, speed, caller, signal }: Options): Promise<void> {
  const { agentId, phoneNumberId, campaignId } = caller;
  const pause = (ms: number) => new Promise<void>((resolve) => void clock.alarm(clock.now() + ms, resolve));
  const ringMs = Math.min(Math.round(ringsMs * speed), maxRingMs);
  const talkMs = Math.min(Math.round(talksMs * speed), maxTalkMs);
  const simulate = { outcome: 'completed', ring_ms: ringMs, talk_ms: talkMs, transcript };
  const lastsMs = (ringMs + talkMs) / speed - hangsUpEarlyMs;
  const call = async (contact: Contact): Promise<void> => {
    const body = {
      agent_id: agentId,
      phone_number_id: phoneNumberId,
      to: contact.phone,
      contact_id: contact.contact_id,
      simulate,
    };
    const { data } = await api.post<{ call_id: string }>('/api/v1/calls', body);
    const path = `/api/v1/calls/${data.call_id}`;
    const endsAt = clock.now() + lastsMs;
    for (;;) {
      await pause(pollEveryMs);
      if (signal.aborted || (await api.get<Call>(path)).data.state === 'ended') return;
      if (clock.now() >= endsAt) await api.post(`${path}/hangup`, {});
    }
  };
  for (let index = 0; !signal.aborted; index++) {
    try {
      const page = `/api/v1/campaigns/${campaignId}/contacts?limit=1&offset=${index % 10}`;
      const [contact] = (await api.get<Contact[]>(page)).data;
      if (contact) await call(contact);
    } catch {
      // Refused: all calling is stopped, or this person opted out. The next one is called.
    }
    await pause(betweenMs);
  }
}
