import { isoOf } from '../../base/clock.ts';
import { transact } from '../../db/transaction.ts';
import { roles, operation, type Versioned } from '../../kernel/route.ts';
import {
  email,
  id,
  integer,
  label,
  list,
  nullable,
  object,
  oneOf,
  optional,
  timestamp,
  timeZone,
  Type,
} from '../../kernel/schema.ts';
import { keySchema, newKeySchema, presentKey, presentNewKey } from './api-key-wire.ts';
import { type ContactLimits, everyDay } from './contact-rules.ts';
import * as service from './service.ts';
import { tokenFor, tokenSchema } from './token-wire.ts';

const tag = 'Organization';
const timeOfDay = () => Type.String({ format: 'time-of-day' });
const keyPath = object({ id: id('API key') });
const role = () => oneOf(roles);

const guardHours = () =>
  object(
    { start: timeOfDay(), end: timeOfDay(), days: list(integer({ minimum: 1, maximum: 7 })) },
    { title: 'GuardHours', description: "Hours of the called person, within the server's, that no campaign leaves" },
  );

const optionalLimit = (description: string, maximum: number) =>
  optional(nullable(integer({ minimum: 1, maximum, description })));

const organizationSchema = object(
  {
    id: id('organization'),
    name: Type.String(),
    notification_emails: list(email(), {
      description: 'Addresses that receive notices, for example about a failing webhook endpoint',
    }),
    timezone: Type.String({ description: 'IANA name; the zone in which days and hours of figures are told' }),
    contact_limits: object(
      {
        max_per_day: nullable(integer()),
        max_per_week: nullable(integer()),
        min_gap_min: nullable(integer()),
      },
      { title: 'ContactLimits', description: "The organization's own; null: that of the server" },
    ),
    guard_hours: nullable(guardHours()),
    version: integer(),
    created_at: timestamp(),
  },
  { title: 'Organization' },
);

const presentOrganization = (organization: service.Organization) => ({
  id: organization.id,
  name: organization.name,
  notification_emails: organization.notificationEmails,
  timezone: organization.timezone,
  contact_limits: {
    max_per_day: organization.contactLimits.maxPerDay,
    max_per_week: organization.contactLimits.maxPerWeek,
    min_gap_min: organization.contactLimits.minGapMin,
  },
  guard_hours: organization.guardHours && { ...organization.guardHours, days: [...organization.guardHours.days] },
  version: organization.version,
  created_at: isoOf(organization.createdAt),
});

const versioned: Versioned = {
  table: 'organizations',
  async find(app, orgId) {
    const {
      id: own,
      version,
      created_at: _createdAt,
      ...settings
    } = presentOrganization(await service.organizationOf(app.db, orgId));
    return { id: own, version, settings };
  },
};

export const getOrganization = operation({
  operationId: 'getOrganization',
  tag,
  summary: "Get the caller's organization",
  versioned,
  data: organizationSchema,
  message: 'Organization fetched.',
  handle: async (app, { caller }) => ({
    data: presentOrganization(await service.organizationOf(app.db, caller.orgId)),
  }),
});

type LimitsBody = { max_per_day?: number | null; max_per_week?: number | null; min_gap_min?: number | null };

const limitsFrom = (body: LimitsBody | null): Partial<ContactLimits> | null =>
  body && {
    ...(body.max_per_day === undefined ? {} : { maxPerDay: body.max_per_day }),
    ...(body.max_per_week === undefined ? {} : { maxPerWeek: body.max_per_week }),
    ...(body.min_gap_min === undefined ? {} : { minGapMin: body.min_gap_min }),
  };

type HoursBody = { start: string; end: string; days?: number[] };

const hoursFrom = (body: HoursBody | null): service.Organization['guardHours'] => body && { days: everyDay, ...body };

export const updateOrganization = operation({
  operationId: 'updateOrganization',
  tag,
  summary: "Update the caller's organization",
  versioned,
  body: object({
    name: optional(label()),
    notification_emails: optional(list(email(), { maxItems: 20, uniqueItems: true })),
    timezone: optional(timeZone()),
    contact_limits: optional(
      nullable(
        object({
          max_per_day: optionalLimit('Calls to one phone number on a calendar day of the person', 1000),
          max_per_week: optionalLimit('Calls to one phone number in an ISO week of the person', 10_000),
          min_gap_min: optionalLimit('Minutes from the end of a call to the next one to the same number', 525_600),
        }),
      ),
    ),
    guard_hours: optional(
      nullable(
        object({
          start: timeOfDay(),
          end: timeOfDay(),
          days: optional(list(integer({ minimum: 1, maximum: 7 }), { minItems: 1, uniqueItems: true })),
        }),
      ),
    ),
  }),
  example: {
    notification_emails: ['ops@example.com'],
    contact_limits: { max_per_day: 2, max_per_week: 5, min_gap_min: 120 },
    guard_hours: { start: '08:00', end: '21:00', days: [1, 2, 3, 4, 5, 6] },
  },
  forbidsCalls: true,
  data: organizationSchema,
  message: 'Organization updated.',
  async handle(app, { caller, body }) {
    const organization = await service.updateOrganization(app, caller.orgId, {
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(body.timezone === undefined ? {} : { timezone: body.timezone }),
      ...(body.notification_emails === undefined ? {} : { notificationEmails: body.notification_emails }),
      ...(body.contact_limits === undefined ? {} : { contactLimits: limitsFrom(body.contact_limits) }),
      ...(body.guard_hours === undefined ? {} : { guardHours: hoursFrom(body.guard_hours) }),
    });
    return { data: presentOrganization(organization) };
  },
});

export const createAccessToken = operation({
  operationId: 'createAccessToken',
  tag,
  summary: 'Create an access token with the role of the API key or person',
  body: object({}),
  bodyOptional: true,
  data: tokenSchema,
  readOnly: true,
  ownTransactions: true,
  message: 'Access token created.',
  handle: async (app, { caller }) => ({ data: await tokenFor(app, caller) }),
});

export const listApiKeys = operation({
  operationId: 'listApiKeys',
  tag,
  summary: 'List API keys',
  data: list(keySchema),
  message: 'API keys fetched.',
  handle: async (app, { caller }) => ({ data: (await service.listApiKeys(app, caller.orgId)).map(presentKey) }),
});

export const createApiKey = operation({
  operationId: 'createApiKey',
  tag,
  summary: 'Create an API key; the key itself is shown only once',
  body: object({ name: label(100), role: role() }),
  example: { name: 'CI', role: 'member' },
  data: newKeySchema,
  answersSecret: true,
  message: 'API key created. Store it now: it is not shown again.',
  errors: ['conflict'],
  handle: async (app, { caller, body }) => ({
    data: presentNewKey(
      await transact(app.db, caller.orgId, (tx) => service.createApiKey(app, tx, caller.orgId, body)),
    ),
  }),
});

export const revokeApiKey = operation({
  operationId: 'revokeApiKey',
  tag,
  summary: 'Revoke an API key; it stops working at once',
  params: keyPath,
  message: 'API key revoked.',
  errors: ['conflict'],
  async handle(app, { caller, params }) {
    await service.revokeApiKey(app, caller.orgId, params.id);
    return {};
  },
});

export const rotateApiKey = operation({
  operationId: 'rotateApiKey',
  tag,
  summary: 'Replace an API key with a new one that has the same name and role',
  params: keyPath,
  body: object({ overlap_seconds: optional(integer({ minimum: 0, maximum: 2_592_000 })) }),
  example: { overlap_seconds: 3600 },
  bodyOptional: true,
  data: newKeySchema,
  answersSecret: true,
  message: 'API key rotated. Store the new key now: it is not shown again.',
  errors: ['conflict'],
  handle: async (app, { caller, params, body }) => ({
    data: presentNewKey(await service.rotateApiKey(app, caller.orgId, params.id, body.overlap_seconds ?? 0)),
  }),
});
