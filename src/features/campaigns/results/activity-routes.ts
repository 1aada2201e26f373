import { isoOf } from '../../../base/clock.ts';
import { instantOrNull } from '../../../kernel/filters.ts';
import { operation } from '../../../kernel/route.ts';
import { id, integer, list, object, optional, timestamp } from '../../../kernel/schema.ts';
import { activityOf, hoursOf, maxSteps } from './activity.ts';

const tag = 'Campaigns';
const campaignPath = object({ id: id('campaign') });

const count = (description: string) => integer({ minimum: 0, description });

export const getCampaignActivity = operation({
  operationId: 'getCampaignActivity',
  tag,
  summary: 'Count the calls of a campaign over time',
  params: campaignPath,
  query: object({
    from: optional(timestamp('Start of the first step; default: the first call')),
    to: optional(timestamp('End of the last step; default: the last call')),
    step: optional(
      integer({
        minimum: 1,
        maximum: 31_622_400,
        description: `Seconds per step, at most ${maxSteps} steps. Default: 3600 or, for a longer range, the fewest whole hours that keep within that`,
      }),
    ),
  }),
  data: list(
    object(
      {
        at: timestamp('Start of the step'),
        started: count('Calls that started in the step'),
        completed: count('Calls that ended in the step with this status'),
        no_answer: count('Calls that ended in the step with this status'),
        busy: count('Calls that ended in the step with this status'),
        voicemail: count('Calls that ended in the step with this status'),
        failed: count('Calls that ended in the step with this status'),
      },
      { title: 'CampaignActivity' },
    ),
    { maxItems: maxSteps },
  ),
  message: 'Campaign activity fetched.',
  async handle(app, { caller, params, query }) {
    const range = { from: instantOrNull(query.from), to: instantOrNull(query.to) };
    const stepMs = query.step === undefined ? null : query.step * 1000;
    const steps = await activityOf(app, caller.orgId, params.id, { ...range, stepMs });
    return { data: steps.map(({ at, ...counts }) => ({ at: isoOf(at), ...counts })) };
  },
});

export const getCampaignHours = operation({
  operationId: 'getCampaignHours',
  tag,
  summary: 'Count the calls of a campaign, and how many were answered, by weekday and hour in its time zone',
  params: campaignPath,
  data: list(
    object(
      {
        weekday: integer({ minimum: 1, maximum: 7, description: '1 is Monday' }),
        hour: integer({ minimum: 0, maximum: 23 }),
        calls: count('Calls that started in this hour'),
        answered: count('Those of them that were answered'),
      },
      { title: 'CampaignHour' },
    ),
    { description: 'All 168 hours of the week' },
  ),
  message: 'Campaign hours fetched.',
  handle: async (app, { caller, params }) => ({ data: await hoursOf(app, caller.orgId, params.id) }),
});
