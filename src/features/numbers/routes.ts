import { isoOf, isoOrNull } from '../../base/clock.ts';
import type { App } from '../../kernel/app.ts';
import { pageReply } from '../../kernel/paging.ts';
import { operation, type Versioned } from '../../kernel/route.ts';
import {
  boolean,
  id,
  integer,
  label,
  list,
  nullable,
  number as numeric,
  object,
  oneOf,
  optional,
  phone,
  text,
  timestamp,
  Type,
  version,
} from '../../kernel/schema.ts';
import type { CarrierPause } from './carrier-pause.ts';
import { carrierPausesOf, carrierStateOf } from './carrier-reach.ts';
import { dialFormats, numberStatuses, numberTypes, type PhoneNumber, sipFroms, transports } from './number.ts';
import { registrationOf, registrationOff, registrationStates, type RegistrationStatus } from './registration.ts';
import * as service from './service.ts';

const tag = 'Phone numbers';
const numberPath = object({ id: id('phone number') });

const transport = () => nullable(oneOf(transports));
const carrier = () =>
  nullable(
    Type.String({
      maxLength: 50,
      description:
        "The carrier that places the number's calls, such as sip; null means that of the setting carrier.driver",
    }),
  );
const dialFormat = () =>
  oneOf(dialFormats, {
    description: 'The form in which the trunk expects called numbers: with + (e164) or without (digits)',
  });
const register = () =>
  boolean({
    description: 'Registers sip_username at the trunk, for trunks that send calls only to what has registered',
  });
const sipFrom = () =>
  oneOf(sipFroms, {
    description:
      'The user in From of outgoing calls: the number, or sip_username, with the number in P-Asserted-Identity and P-Preferred-Identity',
  });
const inboundAgentId = () => nullable(id('The agent that answers calls to this number; null if none does'));
const terminationUri = () =>
  Type.String({
    format: 'termination-uri',
    maxLength: 500,
    description: 'Where outbound calls are sent: a SIP host with optional port, or a sip: or sips: URI',
  });
const maxConcurrent = () =>
  integer({ minimum: 1, maximum: 10_000, description: 'Maximum number of simultaneous calls' });
const maxCps = () => integer({ minimum: 1, maximum: 1000, description: 'Maximum number of calls started per second' });

const trunkFields = {
  sip_username: optional(nullable(text(200))),
  sip_password: optional(nullable(text(1000, 1))),
  transport: optional(transport()),
  carrier: optional(carrier()),
  dial_format: optional(dialFormat()),
  register: optional(register()),
  sip_from: optional(sipFrom()),
  inbound_agent_id: optional(inboundAgentId()),
};

const importSchema = object(
  {
    phone: phone(),
    name: optional(nullable(label())),
    termination_uri: terminationUri(),
    ...trunkFields,
  },
  { title: 'NumberToImport' },
);

const numberSchema = object(
  {
    id: id('phone number'),
    phone: Type.String(),
    name: nullable(Type.String()),
    type: oneOf(numberTypes),
    termination_uri: nullable(Type.String()),
    sip_username: nullable(Type.String()),
    transport: transport(),
    carrier: carrier(),
    dial_format: dialFormat(),
    register: register(),
    registration: object({
      state: oneOf(registrationStates),
      expires_at: nullable(timestamp('Until when the registrar keeps our contact')),
      contact: nullable(Type.String({ description: 'The URI by which the registrar calls this server' })),
      detail: nullable(Type.String({ description: "The registrar's last answer, or the fault" })),
    }),
    sip_from: sipFrom(),
    inbound_agent_id: inboundAgentId(),
    status: oneOf(numberStatuses),
    max_concurrent: maxConcurrent(),
    max_cps: maxCps(),
    paused_until: nullable(
      timestamp(
        'While the carrier is out of reach: when the next call is tried; until then none is made from the number',
      ),
    ),
    last_error: nullable(Type.String({ description: 'Why the carrier is out of reach' })),
    version: version(),
    created_at: timestamp(),
  },
  { title: 'PhoneNumber' },
);

const presentRegistration = ({ state, expiresAt, contact, detail }: RegistrationStatus) => ({
  state,
  expires_at: isoOrNull(expiresAt),
  contact,
  detail,
});

const presentNumber = (number: PhoneNumber, pause: CarrierPause | null, registration: RegistrationStatus) => ({
  id: number.id,
  phone: number.phone,
  name: number.name,
  type: number.type,
  termination_uri: number.terminationUri,
  sip_username: number.sipUsername,
  transport: number.transport,
  carrier: number.carrier,
  dial_format: number.dialFormat,
  register: number.register,
  registration: presentRegistration(registration),
  sip_from: number.sipFrom,
  inbound_agent_id: number.inboundAgentId,
  status: number.status,
  max_concurrent: number.maxConcurrent,
  max_cps: number.maxCps,
  paused_until: isoOrNull(pause?.probeAt ?? null),
  last_error: pause?.reason ?? null,
  version: number.version,
  created_at: isoOf(number.createdAt),
});

const present = async (app: App, number: PhoneNumber) =>
  presentNumber(number, (await carrierStateOf(app.db, number.id)).pause, registrationOf(app, number));

const versioned: Versioned = {
  table: 'phone_numbers',
  secret: ['sip_password'],
  async find(app, orgId, { id: numberId, phone_number: phoneNumber = '' }) {
    const number = await (numberId === undefined
      ? service.activeNumberByPhone(app.db, orgId, phoneNumber)
      : service.findNumber(app.db, orgId, numberId));
    if (!number) return undefined;
    const {
      id: _id,
      paused_until: _pausedUntil,
      last_error: _error,
      registration: _registration,
      version: _version,
      created_at: _createdAt,
      ...settings
    } = presentNumber(number, null, registrationOff(null));
    const withPassword = { ...settings, sip_password: number.encryptedSipPassword };
    return { id: number.id, version: number.version, settings: withPassword };
  },
};

export const importPhoneNumber = operation({
  operationId: 'importPhoneNumber',
  tag,
  versioned,
  summary: 'Import a phone number from a SIP trunk',
  body: importSchema,
  example: {
    phone: '+4930901821',
    name: 'Main line',
    termination_uri: 'sip.example.com',
    sip_username: 'parley',
    sip_password: 'a long secret',
    transport: 'tls',
  },
  acceptsBothCases: true,
  data: numberSchema,
  message: 'Phone number imported.',
  errors: ['conflict'],
  additionalFaults: (app, { caller, body }) => service.numberFaults(app, caller.orgId, body),
  handle: async (app, { caller, body }) => ({
    data: await present(app, await service.importNumber(app, caller.orgId, body)),
  }),
});

export const listPhoneNumbers = operation({
  operationId: 'listPhoneNumbers',
  tag,
  summary: 'List phone numbers, including released ones, newest first',
  paged: true,
  data: list(numberSchema),
  message: 'Phone numbers fetched.',
  async handle(app, { caller, page }) {
    const numbers = await service.listNumbers(app, caller.orgId, page);
    const pauses = await carrierPausesOf(app.db, caller.orgId);
    return pageReply(numbers, (number) =>
      presentNumber(number, pauses.get(number.id) ?? null, registrationOf(app, number)),
    );
  },
});

export const getImportedPhoneNumber = operation({
  operationId: 'getImportedPhoneNumber',
  tag,
  versioned,
  summary: 'Get a phone number',
  params: numberPath,
  data: numberSchema,
  message: 'Phone number fetched.',
  handle: async (app, { caller, params }) => ({
    data: await present(app, await service.numberOf(app.db, caller.orgId, params.id)),
  }),
});

export const updatePhoneNumber = operation({
  operationId: 'updatePhoneNumber',
  tag,
  versioned,
  summary: 'Update a phone number; fields left out keep their value',
  params: numberPath,
  body: object({
    name: optional(nullable(label())),
    max_concurrent: optional(maxConcurrent()),
    max_cps: optional(maxCps()),
    termination_uri: optional(terminationUri()),
    ...trunkFields,
  }),
  example: { name: 'Main line', max_concurrent: 20, max_cps: 2 },
  acceptsBothCases: true,
  data: numberSchema,
  message: 'Phone number updated.',
  additionalFaults: (app, { caller, body }) => service.numberFaults(app, caller.orgId, body),
  handle: async (app, { caller, params, body }) => ({
    data: await present(app, await service.updateNumber(app, caller.orgId, params.id, body)),
  }),
});

export const listAvailablePhoneNumbers = operation({
  operationId: 'listAvailablePhoneNumbers',
  tag,
  summary: 'List phone numbers available for purchase',
  data: list(
    object({ phone: Type.String(), name: nullable(Type.String()), monthly_price: nullable(numeric({ minimum: 0 })) }),
  ),
  message: 'Available phone numbers fetched.',
  async handle(app) {
    const offers = await service.availableNumbers(app);
    return {
      data: offers.map(({ phone: offered, name, monthlyPrice }) => ({
        phone: offered,
        name,
        monthly_price: monthlyPrice,
      })),
    };
  },
});

export const purchasePhoneNumber = operation({
  operationId: 'purchasePhoneNumber',
  tag,
  versioned,
  summary: 'Buy an available phone number',
  body: object({ phone: phone() }),
  example: { phone: '+4930901822' },
  acceptsBothCases: true,
  data: numberSchema,
  message: 'Phone number purchased.',
  errors: ['not_found', 'conflict'],
  handle: async (app, { caller, body }) => ({
    data: await present(app, await service.purchaseNumber(app, caller.orgId, body.phone)),
  }),
});

export const releasePhoneNumber = operation({
  operationId: 'releasePhoneNumber',
  tag,
  versioned,
  summary: 'Release a phone number; refused while an active campaign uses it',
  params: object({ phone_number: phone('Phone number in E.164; write the + as is or as %2B') }),
  data: object({ phone_number: Type.String(), status: oneOf(['released']), released_at: timestamp() }),
  message: 'Phone number released.',
  errors: ['conflict'],
  async handle(app, { caller, params }) {
    const {
      id: numberId,
      phone: released,
      releasedAt,
    } = await service.releaseNumber(app, caller.orgId, params.phone_number);
    return {
      data: { phone_number: released, status: 'released' as const, released_at: isoOf(releasedAt) },
      auditTarget: { id: numberId },
    };
  },
});
