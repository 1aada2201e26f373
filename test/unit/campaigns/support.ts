import {
  type Campaign,
  defaultSchedule,
  retryableStatuses,
  type Schedule,
} from '../../../src/features/campaigns/campaign.ts';

/** A running campaign with default settings. */
export const campaignWith = (schedule: Partial<Schedule> = {}, over: Partial<Campaign> = {}): Campaign => ({
  id: '01990000-0000-7000-8000-000000000001',
  orgId: '01990000-0000-7000-8000-000000000002',
  name: 'Spring',
  version: 1,
  agentId: null,
  phoneNumberId: null,
  fromPhoneNumber: null,
  status: 'active',
  executionStatus: 'running',
  schedule: { ...defaultSchedule, ...schedule },
  maxCps: 1,
  retryOn: retryableStatuses,
  stats: { total: 0, contacted: 0, successful: 0, failed: 0, noAnswer: 0, pending: 0, inProgress: 0 },
  paceAt: 0,
  waitingFor: null,
  wakeAt: null,
  startedAt: null,
  completedAt: null,
  contactsChange: null,
  createdAt: 0,
  updatedAt: 0,
  ...over,
});
