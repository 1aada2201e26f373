import { capCodes } from '../../calls/contact-caps.ts';
import { causeCodes } from '../contacts/cause.ts';

/** Reasons why a contact is not being called now, for programs. `why` gives each with a sentence for people. */
export const reasonCodes = [
  'on_the_phone',
  'final_status',
  ...causeCodes,
  'calling_stopped',
  'campaign_not_running',
  'agent_inactive',
  'no_active_number',
  'campaign_not_started',
  'campaign_lines_in_use',
  'number_lines_in_use',
  'organization_lines_in_use',
  'carrier_lines_in_use',
  'carrier_out_of_reach',
  'no_more_retries',
  'window_closed',
  'guard_hours',
  ...capCodes,
  'waiting_for_retry',
  'pace_reached',
] as const;
export type ReasonCode = (typeof reasonCodes)[number];

/** Reasons why a plan leaves contacts out. */
export const skipCodes = ['do_not_call', ...capCodes, 'guard_hours', 'removed', 'expired'] as const;
export type SkipCode = (typeof skipCodes)[number];
