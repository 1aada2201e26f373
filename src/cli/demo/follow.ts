import { type Clock, monotonicMs } from '../../base/clock.ts';
import type { Api } from './api.ts';
import type { LiveLine } from './live-line.ts';
import type { Receiver } from './receiver.ts';
import type { Seeded } from './seed.ts';

/** The campaign's state at one poll. */
export type Progress = {
  status: string;
  total: number;
  inFlight: number;
  /** Ended calls by outcome. */
  outcomes: { completed: number; no_answer: number; voicemail: number; busy: number; failed: number };
  /** All ended calls. */
  ended: number;
  delivered: number;
  verified: number;
};

export type FollowOptions = {
  api: Api;
  seeded: Seeded;
  receiver: Receiver;
  clock: Clock;
  line: LiveLine;
  /** Give up when nothing has changed for this long; it must exceed the longest call. */
  stallMs: number;
};

const pollEveryMs = 250;

/** Shows the campaign's progress until it is completed and every call's event has arrived, or nothing changes for `stallMs`. */
export async function follow({ api, seeded, receiver, clock, line, stallMs }: FollowOptions): Promise<Progress> {
  let shown = '';
  let changedAtMs = monotonicMs();
  for (;;) {
    const progress = await poll(api, seeded, receiver);
    const text = describe(progress);
    if (text !== shown) changedAtMs = monotonicMs();
    shown = text;
    line.show(text);
    const done = progress.status === 'completed' && Math.min(progress.delivered, progress.verified) >= progress.ended;
    if (done || monotonicMs() - changedAtMs > stallMs) {
      line.end();
      return progress;
    }
    await new Promise<void>((resolve) => clock.alarm(clock.now() + pollEveryMs, resolve));
  }
}

type Campaign = { status: string; contactStats: { total: number; inProgress: number } };
type Agent = { callStats: Record<string, number> };

async function poll(api: Api, { agentId, campaignId }: Seeded, receiver: Receiver): Promise<Progress> {
  // The campaign first: if it is completed, the call counts read after it are final. Deliveries may still arrive.
  const { data: campaign } = await api.get<Campaign>(`/api/v1/campaigns/${campaignId}`);
  const [{ data: agent }, deliveries] = await Promise.all([
    api.get<Agent>(`/api/v1/agents/${agentId}`),
    api.get(`/api/v1/webhooks/deliveries?status=delivered&limit=1`),
  ]);
  const { totalCalls = 0, completedCalls = 0, noAnswerCalls = 0, voicemailCalls = 0 } = agent.callStats;
  const { busyCalls = 0, failedCalls = 0 } = agent.callStats;
  return {
    status: campaign.status,
    total: campaign.contactStats.total,
    inFlight: campaign.contactStats.inProgress,
    outcomes: {
      completed: completedCalls,
      no_answer: noAnswerCalls,
      voicemail: voicemailCalls,
      busy: busyCalls,
      failed: failedCalls,
    },
    ended: totalCalls,
    delivered: deliveries.total,
    verified: receiver.verifiedCalls.size,
  };
}

/** The most important figures come first, because a narrow terminal cuts off the end. */
function describe({ total, inFlight, outcomes, ended, delivered, verified }: Progress): string {
  const shares = Object.entries(outcomes).map(([name, calls]) => `${calls} ${name.replace('_', ' ')}`);
  return [
    `${ended}/${total} ended, ${inFlight} in flight`,
    // The receiver may have an event before its answer is recorded.
    `webhooks ${delivered} delivered, ${Math.min(verified, delivered)} verified`,
    shares.join(', '),
  ].join(' | ');
}
