import type { Api } from './api.ts';
import type { Progress } from './follow.ts';
import type { Receiver } from './receiver.ts';
import type { Seeded } from './seed.ts';

/** A statement about the finished campaign, and whether it is true. */
export type Check = { statement: string; passed: boolean };

type EndedCall = { call_id: string; duration_sec: number; cost_total: number };

/** The largest page of `GET /calls`; `maxPeople` stays below it, so one page holds all calls. */
const pageLimit = 500;

/** Compares the server's list of the campaign's calls with the events that the receiver got. */
export async function runChecks(
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
      { statement: `the campaign is completed (it is ${progress.status})`, passed: progress.status === 'completed' },
      {
        statement: `each of the ${contacts} contacts was called once (${calls.length} calls)`,
        passed: calls.length === contacts && progress.ended === contacts,
      },
      { statement: `every call sent its webhook (${missing} missing)`, passed: missing === 0 },
      { statement: `every webhook had a valid signature (${rejected} rejected)`, passed: rejected === 0 },
    ],
    totals: `${minutes.toFixed(1)} minutes of calls, ${sum((call) => call.cost_total).toFixed(2)} billed, all simulated`,
  };
}

/** A table with a row for each outcome. */
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
  checks.map(({ statement, passed }) => `  ${passed ? 'ok    ' : 'FAILED'}  ${statement}`).join('\n');

/** Commands to paste into a terminal, for a first look at the API. */
export function curlCommands(url: string, apiKey: string, { campaignId }: Seeded): string {
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
