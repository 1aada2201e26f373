import { operation } from '../../../kernel/route.ts';
import { id, integer, list, nullable, object, Type } from '../../../kernel/schema.ts';
import { pendingZones } from '../contacts/store.ts';
import { campaignOf } from '../service.ts';

export const listCampaignZones = operation({
  operationId: 'listCampaignZones',
  tag: 'Campaigns',
  summary: 'Count the waiting contacts of a campaign by time zone, most first',
  params: object({ id: id('campaign') }),
  data: list(
    object(
      {
        timezone: nullable(
          Type.String({ description: 'Null for contacts without one, who are called by the clock of the campaign' }),
        ),
        pending: integer(),
      },
      { title: 'CampaignZone' },
    ),
  ),
  message: 'Time zones counted.',
  async handle(app, { caller, params }) {
    await campaignOf(app.db, caller.orgId, params.id);
    // There are no more of them than time zones in the world, some 600.
    const zones = await pendingZones(app.db, params.id);
    const ordered = zones.toSorted((a, b) => b.pending - a.pending || (a.timezone < b.timezone ? -1 : 1));
    return { data: ordered.map(({ timezone, pending }) => ({ timezone: timezone === '' ? null : timezone, pending })) };
  },
});
