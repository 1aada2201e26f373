import { isoOf } from '../../../base/clock.ts';
import { pageReply } from '../../../kernel/paging.ts';
import { operation } from '../../../kernel/route.ts';
import { id, list, nullable, object, oneOf, timestamp, Type } from '../../../kernel/schema.ts';
import { actorSchema, presentActor } from '../../requests/actor-wire.ts';
import { type CampaignEvent, campaignEventTypes } from './campaign-event.ts';
import { campaignEvents } from './history.ts';

const eventSchema = object(
  {
    at: timestamp(),
    type: oneOf(campaignEventTypes),
    actor: nullable(actorSchema()),
    detail: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description:
        'created: `redial_of` for a redial; edited: `fields`; paused: `reason` `restore` after a restore; stopped: `reason`, if one was given; ' +
        'completed by parley: `reason` ' +
        '`nobody_left` or `end_passed`; contacts_added: `added` and `skipped`; contacts_removed: `removed`; carrier_paused: ' +
        '`phone_number_id` and `reason`; carrier_resumed: `phone_number_id`',
    }),
  },
  { title: 'CampaignEvent' },
);

const presentEvent = ({ at, type, actor, detail }: CampaignEvent) => ({
  at: isoOf(at),
  type,
  actor: actor && presentActor(actor),
  detail: { ...detail },
});

export const listCampaignEvents = operation({
  operationId: 'listCampaignEvents',
  tag: 'Campaigns',
  summary: 'List what happened to a campaign, newest first; `actor` is null for what parley did by itself',
  params: object({ id: id('campaign') }),
  paged: true,
  data: list(eventSchema),
  message: 'Campaign events fetched.',
  async handle(app, { caller, params, page }) {
    return pageReply(await campaignEvents(app, caller.orgId, params.id, page), presentEvent);
  },
});
