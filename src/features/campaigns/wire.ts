import { isoOf, isoOrNull } from '../../base/clock.ts';
import {
  boolean,
  id,
  integer,
  label,
  list,
  nullable,
  object,
  oneOf,
  optional,
  phone,
  timestamp,
  timeZone,
  Type,
  version,
  withDefaults,
} from '../../kernel/schema.ts';
import type { DoNotCallState } from '../contacts/do-not-call-state.ts';
import { doNotCallStateSchema, presentDoNotCallState } from '../contacts/do-not-call-wire.ts';
import {
  type Campaign,
  type CampaignContact,
  campaignStatuses,
  contactStatuses,
  defaultMaxCps,
  defaultSchedule,
  executionStatuses,
  retryableStatuses,
} from './campaign.ts';
import { endOf, startOf } from './schedule/schedule.ts';
import type { Limits } from './service.ts';

/** The wire shapes of a campaign: camelCase on its own endpoints, snake_case in the list of a contact's campaigns. */

const dateTime = () =>
  Type.String({ format: 'local-date-time', description: 'ISO 8601; without an offset it is local to timezone' });
const timeOfDay = () => Type.String({ format: 'time-of-day' });
const weekdays = () => list(integer({ minimum: 1, maximum: 7 }), { minItems: 1, maxItems: 7, uniqueItems: true });

const scheduleFields = {
  start: optional(nullable(dateTime())),
  end: optional(nullable(dateTime())),
  windowStart: optional(nullable(timeOfDay())),
  windowEnd: optional(nullable(timeOfDay())),
  windowDays: optional(nullable(weekdays())),
  timezone: optional(nullable(timeZone())),
  maxConcurrent: optional(nullable(integer({ minimum: 1, maximum: 1000 }))),
  retryAttempts: optional(nullable(integer({ minimum: 0, maximum: 10 }))),
  retryGapMin: optional(
    nullable(integer({ minimum: 1, maximum: 10_080, description: 'Minutes between two attempts' })),
  ),
};
const scheduleInput = object(scheduleFields, { title: 'ScheduleChanges' });
const newScheduleInput = object(withDefaults(scheduleFields, defaultSchedule), { title: 'NewSchedule' });

const settings = {
  agentId: optional(nullable(id('agent'))),
  phoneNumberId: optional(nullable(id('phone number'))),
  fromPhoneNumber: optional(nullable(phone('One of your active phone numbers, in E.164 format'))),
  phoneNumberIds: optional(
    nullable(
      list(id('phone number'), {
        maxItems: 50,
        uniqueItems: true,
        description: 'Calls come from the one that was used least today; an empty list is null',
      }),
    ),
  ),
  localPresence: optional(
    nullable(boolean({ description: 'Prefer, of several numbers, those that begin like the called one' })),
  ),
  schedule: optional(scheduleInput),
  maxCps: optional(
    nullable(integer({ minimum: 1, maximum: 100, description: 'Maximum number of calls started per second' })),
  ),
  retryOn: optional(nullable(list(oneOf(retryableStatuses), { uniqueItems: true }))),
  status: optional(oneOf(campaignStatuses)),
  executionStatus: optional(oneOf(executionStatuses)),
};
export const createBody = object(
  {
    name: label(),
    ...withDefaults(settings, {
      maxCps: defaultMaxCps,
      retryOn: retryableStatuses,
      status: 'draft',
      executionStatus: 'draft',
    }),
    schedule: optional(newScheduleInput),
  },
  { title: 'NewCampaign' },
);
export const patchBody = object(
  { id: optional(id('campaign')), name: optional(label()), ...settings },
  { title: 'CampaignChanges' },
);

/** Settings that change a plan. */
const planned = {
  schedule: settings.schedule,
  maxCps: settings.maxCps,
  retryOn: settings.retryOn,
  agentId: settings.agentId,
  phoneNumberId: settings.phoneNumberId,
  phoneNumberIds: settings.phoneNumberIds,
};
export const planBody = object(planned);
export const newPlanBody = object(
  {
    ...planned,
    schedule: newScheduleInput,
    maxCps: nullable(integer({ minimum: 1, maximum: 100 })),
    contacts: integer({ minimum: 0, maximum: 10_000_000, description: 'How many contacts the campaign is to have' }),
  },
  { title: 'NewCampaignPlan' },
);

const counters = ['total', 'contacted', 'successful', 'failed', 'pending'] as const;
const statsSchema = (noAnswer: string, inProgress: string) =>
  object(Object.fromEntries([...counters, noAnswer, inProgress].map((name) => [name, integer()])));

const common = { id: id('campaign'), name: Type.String(), status: oneOf(campaignStatuses) };

export const campaignSchema = object(
  {
    ...common,
    organizationId: id('organization'),
    agentId: nullable(id('agent')),
    phoneNumberId: nullable(id('phone number')),
    fromPhoneNumber: nullable(phone()),
    phoneNumberIds: nullable(list(id('phone number'))),
    localPresence: boolean(),
    executionStatus: oneOf(executionStatuses),
    schedule: object(
      {
        start: nullable(timestamp()),
        end: nullable(timestamp()),
        windowStart: nullable(Type.String()),
        windowEnd: nullable(Type.String()),
        windowDays: list(integer()),
        timezone: Type.String(),
        maxConcurrent: integer(),
        retryAttempts: integer(),
        retryGapMin: integer(),
      },
      { title: 'Schedule' },
    ),
    maxCps: integer(),
    retryOn: list(oneOf(retryableStatuses)),
    contactStats: statsSchema('noAnswer', 'inProgress'),
    outboundMaxConcurrent: integer({
      description: 'Concurrent calls: the lowest limit of campaign, numbers (their sum) and organization',
    }),
    outboundMaxCps: integer({
      description: 'Calls started per second: the lowest limit of campaign, number and organization',
    }),
    version: version(),
    startedAt: nullable(timestamp()),
    completedAt: nullable(timestamp()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'Campaign' },
);

/** What people set. */
export const presentCampaignSettings = (campaign: Campaign) => ({
  name: campaign.name,
  agentId: campaign.agentId,
  phoneNumberId: campaign.phoneNumberId,
  fromPhoneNumber: campaign.fromPhoneNumber,
  phoneNumberIds: campaign.phoneNumberIds.length === 0 ? null : [...campaign.phoneNumberIds],
  localPresence: campaign.localPresence,
  status: campaign.status,
  executionStatus: campaign.executionStatus,
  schedule: {
    start: isoOrNull(startOf(campaign.schedule)),
    end: isoOrNull(endOf(campaign.schedule)),
    windowStart: campaign.schedule.windowStart,
    windowEnd: campaign.schedule.windowEnd,
    windowDays: [...campaign.schedule.windowDays],
    timezone: campaign.schedule.timezone,
    maxConcurrent: campaign.schedule.maxConcurrent,
    retryAttempts: campaign.schedule.retryAttempts,
    retryGapMin: campaign.schedule.retryGapMin,
  },
  maxCps: campaign.maxCps,
  retryOn: [...campaign.retryOn],
});

export const presentCampaign = (campaign: Campaign, limits: Limits) => ({
  id: campaign.id,
  organizationId: campaign.orgId,
  ...presentCampaignSettings(campaign),
  contactStats: { ...campaign.stats },
  outboundMaxConcurrent: limits.maxConcurrent,
  outboundMaxCps: limits.maxCps,
  version: campaign.version,
  startedAt: isoOrNull(campaign.startedAt),
  completedAt: isoOrNull(campaign.completedAt),
  createdAt: isoOf(campaign.createdAt),
  updatedAt: isoOf(campaign.updatedAt),
});

export const snakeCampaignSchema = object(
  {
    ...common,
    organization_id: id('organization'),
    agent_id: nullable(id('agent')),
    phone_number_id: nullable(id('phone number')),
    from_phone_number: nullable(phone()),
    phone_number_ids: nullable(list(id('phone number'))),
    local_presence: boolean(),
    execution_status: oneOf(executionStatuses),
    schedule: object({
      start: nullable(timestamp()),
      end: nullable(timestamp()),
      window_start: nullable(Type.String()),
      window_end: nullable(Type.String()),
      window_days: list(integer()),
      timezone: Type.String(),
      max_concurrent: integer(),
      retry_attempts: integer(),
      retry_gap_min: integer(),
    }),
    contact_stats: statsSchema('no_answer', 'in_progress'),
    version: version(),
    started_at: nullable(timestamp()),
    completed_at: nullable(timestamp()),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { title: 'CampaignInFull' },
);

export const presentSnakeCampaign = (campaign: Campaign) => ({
  id: campaign.id,
  organization_id: campaign.orgId,
  name: campaign.name,
  agent_id: campaign.agentId,
  phone_number_id: campaign.phoneNumberId,
  from_phone_number: campaign.fromPhoneNumber,
  phone_number_ids: campaign.phoneNumberIds.length === 0 ? null : [...campaign.phoneNumberIds],
  local_presence: campaign.localPresence,
  status: campaign.status,
  execution_status: campaign.executionStatus,
  schedule: {
    start: isoOrNull(startOf(campaign.schedule)),
    end: isoOrNull(endOf(campaign.schedule)),
    window_start: campaign.schedule.windowStart,
    window_end: campaign.schedule.windowEnd,
    window_days: [...campaign.schedule.windowDays],
    timezone: campaign.schedule.timezone,
    max_concurrent: campaign.schedule.maxConcurrent,
    retry_attempts: campaign.schedule.retryAttempts,
    retry_gap_min: campaign.schedule.retryGapMin,
  },
  contact_stats: {
    total: campaign.stats.total,
    contacted: campaign.stats.contacted,
    successful: campaign.stats.successful,
    failed: campaign.stats.failed,
    no_answer: campaign.stats.noAnswer,
    pending: campaign.stats.pending,
    in_progress: campaign.stats.inProgress,
  },
  version: campaign.version,
  started_at: isoOrNull(campaign.startedAt),
  completed_at: isoOrNull(campaign.completedAt),
  created_at: isoOf(campaign.createdAt),
  updated_at: isoOf(campaign.updatedAt),
});

export const compactCampaignSchema = object(
  {
    campaign_id: id('campaign'),
    name: Type.String(),
    status: oneOf(contactStatuses),
    last_attempt_at: nullable(timestamp()),
  },
  { title: 'CampaignMembership' },
);

export const campaignContactSchema = object(
  {
    id: id('campaign contact'),
    contact_id: nullable(id('contact')),
    name: nullable(Type.String()),
    phone: nullable(phone('Null after the person was erased')),
    email: nullable(Type.String()),
    status: oneOf(contactStatuses),
    attempt_count: integer(),
    last_attempted_at: nullable(timestamp()),
    next_retry_at: nullable(timestamp()),
    call_duration_sec: nullable(integer()),
    error_message: nullable(Type.String()),
    call_session_id: nullable(Type.String()),
    tags: list(Type.String()),
    do_not_call_state: doNotCallStateSchema,
  },
  { title: 'CampaignContact' },
);

export const presentCampaignContact = (campaignContact: CampaignContact, doNotCall: DoNotCallState) => ({
  id: campaignContact.id,
  contact_id: campaignContact.contactId,
  name: campaignContact.name,
  phone: campaignContact.phone === '' ? null : campaignContact.phone,
  email: campaignContact.email,
  status: campaignContact.status,
  attempt_count: campaignContact.attemptCount,
  last_attempted_at: isoOrNull(campaignContact.lastAttemptedAt),
  next_retry_at: isoOrNull(campaignContact.nextRetryAt),
  call_duration_sec: campaignContact.callDurationSec,
  error_message: campaignContact.errorMessage,
  call_session_id: campaignContact.callSessionId,
  tags: campaignContact.tags,
  do_not_call_state: presentDoNotCallState(doNotCall),
});
