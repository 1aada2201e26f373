import type { Campaign } from '../../client.ts';

/** What a campaign is doing, in one word. */
export const stateOf = ({ status, executionStatus }: Pick<Campaign, 'status' | 'executionStatus'>): string =>
  status === 'draft' || status === 'completed' ? status : executionStatus;
