import { dayMs } from '../../parts/wall-clock.ts';

/** What happens next to a campaign that runs: its window opens or closes, or it finishes. */
export type Ahead = { id: string; name: string; at: string; what: 'opens' | 'closes' | 'finishes'; waiting: number };

type Campaign = {
  id: string;
  name: string;
  status: string;
  executionStatus: string;
  contactStats: { pending: number };
};
type Outlook = Record<'opens_at' | 'closes_at' | 'finishes_at', string | null>;

/** What is ahead of these campaigns in the 24 hours from `now`, the soonest first. What would follow its finish does not happen. */
export function aheadOf(campaigns: readonly Campaign[], outlooks: ReadonlyMap<string, Outlook>, now: number): Ahead[] {
  return campaigns
    .filter(({ status, executionStatus }) => status === 'active' && executionStatus === 'running')
    .flatMap(({ id, name, contactStats }): Ahead[] => {
      const { opens_at: opens, closes_at: closes, finishes_at: finishes } = outlooks.get(id) ?? nothing;
      const events = [
        ['finishes', finishes],
        ['closes', closes],
        ['opens', opens],
      ] as const;
      const last = Math.min(now + dayMs, finishes === null ? Infinity : Date.parse(finishes));
      return events.flatMap(([what, at]) =>
        at === null || Date.parse(at) > last ? [] : [{ id, name, at, what, waiting: contactStats.pending }],
      );
    })
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

const nothing: Outlook = { opens_at: null, closes_at: null, finishes_at: null };
