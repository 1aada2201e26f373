import type { Api } from './api.ts';
import type { Progress } from './follow.ts';
import type { Receiver } from './receiver.ts';
import type { Seeded } from './seed.ts';

/** What must hold at the end, as sentences. */
export type Check = { what: string; passed: boolean };

type EndedCall = { call_id: string; duration_sec: number; cost_total: number };

/** What `GET /calls` lists at most; `mostPeople` keeps below it. */
const pageLimit = 500;

/** Compares what the server says of the campaign's calls with what the receiver was sent. */
export async function examine(
  api: Api,
  seeded: Seeded,
  progress: Progress,
  receiver: Receiver,
): Promise<{ checks: Check[]; totals: string }> {
  const { data: calls } = await api.get<EndedCall[]>(
    `/api/v1/calls?campaign_id=${seeded.campaignId}&limit=${pageLimit}`,
  );
  const missing = calls.filter(({ call_id: id }) => !receiver.verifiedCalls.has(id)).length;
  const rejected = receiver.rejected();
  const sum = (of: (call: EndedCall) => number): number => calls.reduce((total, call) => total + of(call), 0);
  const minutes = sum((call) => call.duration_sec) / 60;
  const { contacts } = seeded;
  return {
    checks: [
      { what: `the campaign is completed (it is ${progress.status})`, passed: progress.status === 'completed' },
      {
        what: `each of the ${contacts} contacts was called once (${calls.length} calls)`,
        passed: calls.length === contacts && progress.ended === contacts,
      },
      { what: `every call sent its webhook (${missing} missing)`, passed: missing === 0 },
      { what: `every signature is right (${rejected} refused)`, passed: rejected === 0 },
    ],
    totals: `${minutes.toFixed(1)} minutes talked, ${sum((call) => call.cost_total).toFixed(2)} billed, all simulated`,
  };
}

/** The outcomes as a table, a row each. */
export function outcomeTable({ outcomes, ended }: Progress): string {
  const row = (name: string, calls: string, share: string): string =>
    `  ${name.padEnd(12)}${calls.padStart(6)}${share.padStart(8)}`;
  const percent = (calls: number): string => `${ended === 0 ? 0 : Math.round((100 * calls) / ended)} %`;
  return [
    row('Outcome', 'Calls', 'Share'),
    ...Object.entries(outcomes).map(([name, calls]) => row(name, String(calls), percent(calls))),
    row('total', String(ended), percent(ended)),
  ].join('\n');
}

export const checkLines = (checks: readonly Check[]): string =>
  checks.map(({ what, passed }) => `  ${passed ? 'ok    ' : 'FAILED'}  ${what}`).join('\n');

/** Where to look around, to paste into a terminal. */
export function lookAround(url: string, apiKey: string, { campaignId }: Seeded): string {
  const curl = (path: string): string => `  curl -s -H 'X-Api-Key: ${apiKey}' '${url}${path}'`;
  return [
    `  URL      ${url}`,
    `  API key  ${apiKey}`,
    '',
    curl('/api/v1/agents/'),
    curl(`/api/v1/campaigns/${campaignId}`),
    curl('/api/v1/webhooks/deliveries?limit=5'),
  ].join('\n');
}
