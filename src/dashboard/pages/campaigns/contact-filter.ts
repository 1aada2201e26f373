import type { CampaignContact } from '../../client.ts';

export type ContactStatus = CampaignContact['status'];

export const finalStatuses = [
  'completed',
  'no_answer',
  'busy',
  'voicemail',
  'failed',
  'cancelled',
  'expired',
] as const satisfies readonly ContactStatus[];

export const contactStatuses: readonly ContactStatus[] = ['pending', 'in_progress', ...finalStatuses];

/** The filters that the address names. */
export function filterOf(parameters: URLSearchParams): { status?: [ContactStatus]; q?: string } {
  const [status, q] = [parameters.get('status'), parameters.get('q')];
  return { ...(status ? { status: [status as ContactStatus] } : {}), ...(q ? { q } : {}) };
}
