import type { Actor } from '../../requests/audit.ts';

export const campaignEventTypes = [
  'created',
  'edited',
  'activated',
  'paused',
  'resumed',
  'completed',
  'contacts_added',
  'contacts_removed',
  'window_opened',
  'window_closed',
  'carrier_paused',
  'carrier_resumed',
  'reopened',
  'stopped',
] as const;
export type CampaignEventType = (typeof campaignEventTypes)[number];

/** Details of an event beyond its type. It holds no personal data, because events outlive the contacts they are about. */
export type EventDetail = Readonly<Record<string, string | number | readonly string[]>>;

export type CampaignEvent = {
  at: number;
  type: CampaignEventType;
  /** Null if parley itself acted. */
  actor: Actor | null;
  detail: EventDetail;
};
