import { randomUUID } from 'node:crypto';
import { aKey } from '../support/calendar.ts';
import { aCampaign, aContact, anAgent, aNumber, aPhone } from '../support/fixtures.ts';
import { aBase, addSources } from '../support/knowledge.ts';
import { aRecording } from '../support/recordings.ts';
import { type Client, type Data, dataOf } from '../support/server.ts';
import { type Browser, browserWith, logIn } from '../support/sessions.ts';
import * as shapes from './interface-shapes.ts';
import type { Shape } from './interface-shapes.ts';
import type { World } from './interface-world.ts';

/** The content of a request. `at` holds the path parameters, not encoded. */
export type Ask = {
  at?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
};

/** An operation: a request that succeeds, the shape of its answer, and its documented errors. */
export type Row = {
  /** Its number among the twenty endpoints of the first description of the interface; missing for all others. */
  no?: number;
  /** Method and path exactly as documented, including the trailing slash. */
  line: string;
  /**
   * `Key`: API key, token or session. `Bearer`: token or session. `Session`: session only. `none`: no credentials. `signature`: Standard
   * Webhooks signature.
   */
  auth: 'Key' | 'Bearer' | 'Session' | 'none' | 'signature';
  /** The shape of `data`; null if there is none. A list must have at least one item. */
  data: Shape | null;
  /** Whether the answer has `meta`. */
  paged?: true;
  /** For an answer without the envelope: the shape of the body, or null if it is not JSON. */
  bare?: Shape | null;
  /** The answer is a stream that does not end; live.test.ts reads it. */
  isEndless?: boolean;
  ask?: (world: World) => Ask | Promise<Ask>;
  /** Requests that fail, by status and code (`-`: no code). Unknown ids are tested for every path with a parameter. */
  refusals?: Record<string, (world: World) => Ask | Promise<Ask>>;
  /** Whether an unknown id in the path is answered with 200 instead of 404. */
  alwaysThere?: true;
};

const org = (world: World) => ({ org_id: world.orgId });
const stranger = () => ({ org_id: randomUUID() });
const ofAgent = (world: World): Ask => ({ at: { agent_id: world.agentId } });
const ofAgentById = (world: World): Ask => ({ at: { id: world.agentId } });
const ofEdition = (world: World): Ask => ({ at: { agent_id: world.agentId, edition: '1' } });
const ofContact = (world: World): Ask => ({ at: { id: world.contactId } });
const ofCampaign = (world: World): Ask => ({ at: { id: world.campaignId } });
const ofCall = (world: World): Ask => ({ at: { id: world.callId } });
const ofRecordedCall = async (world: World): Promise<Ask> => {
  await aRecording(world.server.running.app, world.callId);
  return ofCall(world);
};
const ofEndpoint = (world: World): Ask => ({ at: { id: world.endpointId } });
const ofDelivery = (world: World): Ask => ({ at: { id: world.deliveryId } });

const anEmail = (): string => `${randomUUID()}@example.com`;
const loggedIn = async (world: World): Promise<Browser> => browserWith(await logIn(world.server, world.user));
const anInvited = async (client: Client): Promise<string> =>
  dataOf(await client.post('/users', { email: anEmail(), role: 'member' })).id;

async function anInvitation({ server }: World) {
  const email = anEmail();
  const { link } = dataOf(await server.post<{ link: string }>('/users', { email, role: 'member' }));
  return { token: new URL(link).searchParams.get('token')!, email, password: 'correct horse battery staple' };
}

const booking = (world: World) => ({
  event_type_id: world.eventType.id,
  start: world.slot,
  attendee: { name: 'Ada', email: 'ada@example.com', timezone: 'UTC' },
});

async function aRunningCampaign(world: World): Promise<{ id: string; agentId: string; phone: string }> {
  const [agent, number] = [await anAgent(world.server), await aNumber(world.server)];
  const { id } = await aCampaign(world.server, { agentId: agent.id, phoneNumberId: number.id });
  dataOf(await world.server.post(`/campaigns/${id}/contacts`, { contacts: [{ phone: aPhone() }] }));
  dataOf(await world.server.patch(`/campaigns/${id}`, { status: 'active' }));
  return { id, agentId: agent.id, phone: number.phone };
}

async function onThePhone(world: World): Promise<{ campaignId: string; contactId: string; callId: string }> {
  const { id } = await aRunningCampaign(world);
  await world.server.advance(1000); // an organization starts its calls one after the other
  type CampaignContact = { contact_id: string; call_session_id: string };
  const [contact] = dataOf(await world.server.get<CampaignContact[]>(`/campaigns/${id}/contacts`));
  return { campaignId: id, contactId: contact!.contact_id, callId: contact!.call_session_id };
}

/** A call of the stand-in for the carrier `sip`, which answers at once. */
async function answeredSipCall({ server, agentId }: World): Promise<Ask> {
  const imported = { phone: aPhone(), termination_uri: 'sip.example.com', carrier: 'sip' };
  const number = dataOf(await server.post('/phone-numbers/import', imported));
  const body = { agent_id: agentId, to: aPhone(), phone_number_id: number.id };
  const call = dataOf(await server.post<{ call_id: string }>('/calls', body));
  await server.advance(100); // an organization starts its calls one after the other
  return { at: { id: call.call_id } };
}

const turn = {
  role: 'string',
  text: 'string',
  at_ms: 'integer',
  first_token_ms: 'integer?',
  total_ms: 'integer?',
  tools: ['object'],
  passages: ['object'],
  input_tokens: 'integer?',
  output_tokens: 'integer?',
} as const;
const conversation = {
  id: 'uuid',
  agent_id: 'uuid',
  edition: 'integer',
  engine: 'string',
  expires_at: 'time',
  turns: [turn],
  ended: 'boolean',
  cost_total: 'number',
} as const;
const ofTalkedTo = (world: World): Ask => ({ ...ofAgentById(world), body: { settings: { firstMessage: 'Hello!' } } });
/** A new conversation in place of the one before, because an organization has few of them at once. */
const conversations = new WeakMap<World, string>();
async function inConversation(world: World): Promise<Ask> {
  const before = conversations.get(world);
  if (before !== undefined) await world.server.del(`/agents/${world.agentId}/conversations/${before}`);
  const { id } = dataOf(await world.server.post(`/agents/${world.agentId}/conversations`, ofTalkedTo(world).body));
  conversations.set(world, id);
  return { at: { id: world.agentId, cid: id } };
}

const savedView = {
  id: 'uuid',
  page: 'string',
  name: 'string',
  query: 'string',
  shared: 'boolean',
  own: 'boolean',
  version: 'integer',
  created_at: 'time',
  updated_at: 'time',
} as const;
const viewToSave = { page: 'calls', name: 'Busy', query: 'status=busy', shared: true };
async function aView({ server }: World): Promise<Ask> {
  return { at: { id: dataOf(await server.post('/views', viewToSave)).id } };
}

const named = { id: 'uuid', name: 'string' } as const;
const callingFacts = {
  by: 'object?',
  reason: 'string?',
  campaigns: [named],
  in_flight: { ringing: 'integer', talking: 'integer' },
} as const;

const figures = {
  calls: 'integer',
  answered: 'integer',
  completed: 'integer',
  voicemail: 'integer',
  no_answer: 'integer',
  busy: 'integer',
  failed: 'integer',
  goals_met: 'integer',
  goals_judged: 'integer',
  talk_sec: 'integer',
  cost: 'number',
  latency: { count: 'integer', p50_ms: 'integer?', p95_ms: 'integer?', buckets: ['integer'] },
} as const;

const edition = { edition: 'integer', at: 'time', by: 'object?', note: 'string?' } as const;

const ready = { ok: 'boolean', missing: ['object'] } as const;
const zones = [{ timezone: 'string', contacts: 'integer', opens_at: 'time?', closes_at: 'time?' }] as const;

const plan = {
  openings: [{ opens_at: 'time', closes_at: 'time', capacity: 'integer', expected: 'integer', left: 'integer' }],
  eligible: 'integer',
  skipped: ['object'],
  finishes_at: 'time?',
  course: [{ at: 'time', calls: 'integer', left: 'integer' }],
  ready,
  by_zone: zones,
} as const;

const why = {
  status: 'string',
  cause: 'object?',
  dialable_now: 'boolean',
  reasons: ['string'],
  reason_codes: ['string'],
  next_attempt_at: 'time?',
  until: 'time?',
  timezone_source: 'string?',
  explain: {
    code: 'string?',
    at_most_until: 'time?',
    window: {
      start: 'string?',
      end: 'string?',
      days: ['integer'],
      timezone: 'string',
      source: 'string',
      local_time: 'string',
    },
    do_not_call: 'object?',
    retry: 'object?',
    limits: { held_by: 'string?', in_flight: 'integer', allowed: 'integer', ahead: 'integer' },
    carrier: 'object?',
    subject: 'object?',
  },
  strip: 'object?',
} as const;

/** The twenty endpoints of the first description of the interface. */
const shown: Row[] = [
  {
    no: 1,
    line: 'GET /api/v1/calendar/agents/{agent_id}/status',
    auth: 'Bearer',
    data: shapes.calendarStatus,
    ask: ofAgent,
    alwaysThere: true,
    refusals: {
      '400 INVALID_REQUEST': () => ({ at: { agent_id: '' } }),
    },
  },
  {
    no: 2,
    line: 'POST /api/v1/calendar/connect',
    auth: 'Key',
    data: shapes.connection,
    ask: (world) => ({ body: { ...org(world), api_key: aKey(world.fake) } }),
    refusals: {
      '400 INVALID_REQUEST': (world) => ({ body: { ...org(world), api_key: 'unknown-to-the-provider' } }),
      '404 NOT_FOUND': () => ({ body: { ...stranger(), api_key: 'x' } }),
    },
  },
  {
    no: 3,
    line: 'POST /api/v1/calendar/disconnect',
    auth: 'Bearer',
    data: null,
    async ask(world) {
      const body = { ...org(world), api_key: aKey(world.fake) };
      const account = dataOf(await world.server.post<{ provider_id: string }>('/calendar/connect', body));
      return { body: { ...org(world), provider_id: account.provider_id } };
    },
    refusals: {
      '400 INVALID_REQUEST': () => ({ body: {} }),
      '404 -': (world) => ({ body: { ...org(world), provider_id: randomUUID() } }),
      '404 NOT_FOUND': () => ({ body: stranger() }),
    },
  },
  {
    no: 4,
    line: 'GET /api/v1/calendar/status',
    auth: 'Bearer',
    data: shapes.calendarStatus,
    ask: (world) => ({ query: org(world) }),
    refusals: {
      '400 INVALID_REQUEST': () => ({}),
      '404 NOT_FOUND': () => ({ query: stranger() }),
    },
  },
  {
    no: 5,
    line: 'GET /api/v1/calendar/event-types/lookup/{platform_id}',
    auth: 'Bearer',
    data: shapes.eventType,
    ask: (world) => ({ at: { platform_id: String(world.eventType.id) }, query: org(world) }),
    refusals: {
      '400 INVALID_REQUEST': () => ({ at: { platform_id: 'intro' } }),
      '404 NOT_FOUND': (world) => ({ at: { platform_id: 'nothing-of-that-name' }, query: org(world) }),
    },
  },
  { no: 6, line: 'GET /api/v1/agents/', auth: 'Key', data: [shapes.agent], paged: true },
  {
    no: 7,
    line: 'PUT /api/v1/agents/{agent_id}',
    auth: 'Key',
    data: shapes.agent,
    ask: (world) => ({
      at: { agent_id: world.agentId },
      body: { webhook_url: world.hookUrl, webhook_events: ['call.completed'] },
    }),
    refusals: {
      '400 INVALID_REQUEST': (world) => ({
        at: { agent_id: world.agentId },
        body: { webhook_url: 'http://hooks.example.com/' },
      }),
    },
  },
  {
    no: 8,
    line: 'GET /api/v1/available-llm-models/with-voices',
    auth: 'Key',
    data: [shapes.model],
    paged: true,
    ask: () => ({ query: { limit: '1', offset: '0' } }),
  },
  {
    no: 9,
    line: 'POST /api/v1/contacts/',
    auth: 'Key',
    data: shapes.contact,
    ask: () => ({
      body: {
        first_name: 'Grace',
        last_name: 'Hopper',
        email: 'grace@example.com',
        phone: aPhone(),
        company: 'Navy',
        metadata: { crmId: 7 },
      },
    }),
    refusals: { '400 INVALID_REQUEST': () => ({ body: { phone: '030 901820' } }) },
  },
  {
    no: 10,
    line: 'GET /api/v1/contacts/{id}/campaigns',
    auth: 'Key',
    data: [shapes.membership],
    ask: ofContact,
  },
  { no: 11, line: 'GET /api/v1/contacts/{id}/notes', auth: 'Key', data: [shapes.note], paged: true, ask: ofContact },
  {
    no: 12,
    line: 'PATCH /api/v1/campaigns/{id}/',
    auth: 'Key',
    data: shapes.campaign,
    ask: (world) => ({
      at: { id: world.campaignId },
      body: { name: 'Summer', schedule: { windowStart: '09:00', windowEnd: '17:00' } },
    }),
    refusals: {
      '400 INVALID_REQUEST': (world) => ({ at: { id: world.campaignId }, body: { id: randomUUID() } }),
      '409 CONFLICT': async (world) => ({
        at: { id: (await aCampaign(world.server)).id },
        body: { status: 'active' },
      }),
    },
  },
  {
    no: 13,
    line: 'GET /api/v1/campaigns/{id}/contacts',
    auth: 'Key',
    data: [shapes.campaignContact],
    paged: true,
    ask: (world) => ({ at: { id: world.campaignId }, query: { limit: '10', offset: '0' } }),
  },
  {
    no: 14,
    line: 'DELETE /api/v1/campaigns/{id}/contacts/{contact_id}',
    auth: 'Key',
    data: null,
    async ask(world) {
      const contact = await aContact(world.server);
      dataOf(await world.server.post(`/campaigns/${world.campaignId}/contacts`, { contact_ids: [contact.id] }));
      return { at: { id: world.campaignId, contact_id: contact.id } };
    },
    refusals: {
      '409 CONFLICT': async (world) => {
        const { campaignId, contactId } = await onThePhone(world);
        return { at: { id: campaignId, contact_id: contactId } };
      },
    },
  },
  {
    no: 15,
    line: 'GET /api/v1/phone-numbers/import/{id}',
    auth: 'Key',
    data: shapes.phoneNumber,
    ask: (world) => ({ at: { id: world.numberId } }),
  },
  {
    no: 16,
    line: 'DELETE /api/v1/phone-numbers/{phone_number}/release/',
    auth: 'Key',
    data: shapes.releasedNumber,
    ask: async (world) => ({ at: { phone_number: (await aNumber(world.server)).phone } }),
    refusals: {
      '400 INVALID_REQUEST': () => ({ at: { phone_number: '030901820' } }),
      '404 NOT_FOUND': () => ({ at: { phone_number: aPhone() } }),
      '409 CONFLICT': async (world) => ({ at: { phone_number: (await aRunningCampaign(world)).phone } }),
    },
  },
  {
    no: 17,
    line: 'GET /api/v1/rag/knowledgebases',
    auth: 'Key',
    data: [shapes.knowledgeBaseItem],
    ask: (world) => ({ query: org(world) }),
    refusals: {
      '400 INVALID_REQUEST': () => ({ query: { org_id: 'mine' } }),
      '404 NOT_FOUND': () => ({ query: stranger() }),
    },
  },
  {
    no: 18,
    line: 'POST /api/v1/rag/knowledge-base/{kb_id}/add-sources',
    auth: 'Key',
    data: { knowledge_base: shapes.knowledgeBase, url_sources: [shapes.urlSource] },
    ask: (world) => ({
      at: { kb_id: world.baseId },
      body: { knowledge_base_texts: [{ title: 'Hours', text: 'We are open from nine to five.' }] },
    }),
    refusals: {
      '400 INVALID_REQUEST': (world) => ({ at: { kb_id: world.baseId }, body: {} }),
      '415 UNSUPPORTED_MEDIA_TYPE': (world) => ({
        at: { kb_id: world.baseId },
        body: 'Hours',
        headers: { 'content-type': 'text/plain' },
      }),
    },
  },
  {
    no: 19,
    line: 'GET /api/v1/rag/document',
    auth: 'Key',
    data: shapes.knowledgeDocument,
    ask: (world) => ({ query: { ...org(world), doc_id: world.docId } }),
    refusals: {
      '400 INVALID_REQUEST': (world) => ({ query: org(world) }),
      '404 NOT_FOUND': (world) => ({ query: { ...org(world), doc_id: 'unheard of' } }),
    },
  },
  {
    no: 20,
    line: 'GET /ready',
    auth: 'none',
    data: null,
    bare: { status: 'string' },
  },
];

/** Operations that the first description of the interface mentioned without details. */
const referredTo: Row[] = [
  {
    line: 'POST /api/v1/agents/',
    auth: 'Key',
    data: shapes.agent,
    ask: (world) => ({ body: { agentName: 'Robin', ...world.model } }),
    refusals: { '400 INVALID_REQUEST': () => ({ body: { agentName: 'Robin' } }) },
  },
  { line: 'GET /api/v1/agents/{agent_id}', auth: 'Key', data: shapes.agent, ask: ofAgent },
  {
    line: 'GET /api/v1/agents/{agent_id}/editions',
    auth: 'Key',
    data: [{ ...edition, fields: ['string'], calls: 'integer' }],
    paged: true,
    ask: ofAgent,
  },
  {
    line: 'GET /api/v1/agents/{agent_id}/editions/{edition}',
    auth: 'Key',
    data: { ...edition, settings: 'object' },
    ask: ofEdition,
  },
  {
    line: 'GET /api/v1/agents/{agent_id}/editions/{edition}/diff',
    auth: 'Key',
    data: { from: 'integer', to: 'integer', changes: ['object'] },
    ask: ofEdition,
    refusals: { '400 INVALID_REQUEST': (world) => ({ ...ofEdition(world), query: { with: 'x' } }) },
  },
  {
    line: 'POST /api/v1/agents/{agent_id}/editions/{edition}/restore',
    auth: 'Key',
    data: shapes.agent,
    ask: ofEdition,
    refusals: {
      '409 CONFLICT': async (world) => {
        const base = await aBase(world.server);
        const agent = await anAgent(world.server, { knowledgeBaseIds: [base] });
        dataOf(await world.server.del(`/rag/knowledge-base/${base}`));
        return { at: { agent_id: agent.id, edition: '1' } };
      },
    },
  },
  {
    line: 'DELETE /api/v1/agents/{agent_id}',
    auth: 'Key',
    data: null,
    ask: async (world) => ({ at: { agent_id: (await anAgent(world.server)).id } }),
    refusals: {
      '409 CONFLICT': async (world) => ({ at: { agent_id: (await aRunningCampaign(world)).agentId } }),
    },
  },
  {
    line: 'POST /api/v1/campaigns/',
    auth: 'Key',
    data: shapes.campaign,
    ask: () => ({ body: { name: 'Autumn' } }),
    refusals: { '400 INVALID_REQUEST': () => ({ body: {} }) },
  },
  { line: 'GET /api/v1/campaigns/', auth: 'Key', data: [shapes.campaign], paged: true },
  { line: 'GET /api/v1/campaigns/{id}', auth: 'Key', data: shapes.campaign, ask: ofCampaign },
  {
    line: 'DELETE /api/v1/campaigns/{id}',
    auth: 'Key',
    data: null,
    ask: async (world) => ({ at: { id: (await aCampaign(world.server)).id } }),
    refusals: { '409 CONFLICT': async (world) => ({ at: { id: (await aRunningCampaign(world)).id } }) },
  },
  {
    line: 'POST /api/v1/campaigns/{id}/contacts',
    auth: 'Key',
    data: { added: 'integer', skipped: ['object'] },
    ask: (world) => ({ at: { id: world.campaignId }, body: { contacts: [{ phone: aPhone(), tags: ['vip'] }] } }),
    refusals: { '400 INVALID_REQUEST': (world) => ({ at: { id: world.campaignId }, body: {} }) },
  },
  { line: 'GET /api/v1/contacts/', auth: 'Key', data: [shapes.contact], paged: true },
  { line: 'GET /api/v1/contacts/{id}', auth: 'Key', data: shapes.contact, ask: ofContact },
  {
    line: 'PATCH /api/v1/contacts/{id}',
    auth: 'Key',
    data: shapes.contact,
    ask: (world) => ({ at: { id: world.contactId }, body: { company: 'Analytical Engines' } }),
    refusals: {
      '400 INVALID_REQUEST': (world) => ({ at: { id: world.contactId }, body: { email: 'ada' } }),
    },
  },
  {
    line: 'PUT /api/v1/contacts/{id}/do-not-call',
    auth: 'Key',
    data: shapes.contact,
    ask: (world) => ({ ...ofContact(world), body: { reason: 'Asked us' } }),
  },
  { line: 'DELETE /api/v1/contacts/{id}/do-not-call', auth: 'Key', data: shapes.contact, ask: ofContact },
  {
    line: 'DELETE /api/v1/contacts/{id}',
    auth: 'Key',
    data: null,
    ask: async (world) => ({ at: { id: (await aContact(world.server)).id } }),
    refusals: { '409 CONFLICT': async (world) => ({ at: { id: (await onThePhone(world)).contactId } }) },
  },
  {
    line: 'POST /api/v1/contacts/{id}/erase',
    auth: 'Key',
    data: { erasure_id: 'uuid' },
    ask: async (world) => ({ at: { id: (await aContact(world.server)).id }, body: { keep_do_not_call: true } }),
    refusals: {
      '409 CONFLICT': async (world) => ({ at: { id: (await onThePhone(world)).contactId }, body: {} }),
      '400 INVALID_REQUEST': (world) => ({ at: { id: world.contactId }, body: { keep_do_not_call: 'yes' } }),
    },
  },
  {
    line: 'GET /api/v1/erasures/{id}',
    auth: 'Key',
    data: shapes.erasure,
    ask: async (world) => {
      const { id } = await aContact(world.server);
      const begun = await world.server.post<Data & { erasure_id: string }>(`/contacts/${id}/erase`, {});
      return { at: { id: dataOf(begun).erasure_id } };
    },
  },
  { line: 'GET /api/v1/contacts/{id}/everything', auth: 'Key', data: shapes.everything, ask: ofContact },
  {
    line: 'POST /api/v1/contacts/{id}/notes',
    auth: 'Key',
    data: shapes.note,
    ask: (world) => ({ at: { id: world.contactId }, body: { content: 'Likes mornings.' } }),
    refusals: { '400 INVALID_REQUEST': (world) => ({ at: { id: world.contactId }, body: { content: ' ' } }) },
  },
  {
    line: 'POST /api/v1/phone-numbers/import',
    auth: 'Key',
    data: shapes.phoneNumber,
    ask: () => ({ body: { phone: aPhone(), termination_uri: 'sip.example.com', sip_username: 'parley' } }),
    refusals: {
      '400 INVALID_REQUEST': () => ({ body: { phone: aPhone() } }),
      '409 CONFLICT': async (world) => ({
        body: { phone: (await aNumber(world.server)).phone, termination_uri: 'sip.example.com' },
      }),
    },
  },
  { line: 'GET /api/v1/phone-numbers', auth: 'Key', data: [shapes.phoneNumber], paged: true },
  {
    line: 'POST /api/v1/phone-numbers/purchase',
    auth: 'Key',
    data: shapes.phoneNumber,
    ask: (world) => ({ body: { phone: world.forSale.pop()! } }),
    refusals: { '404 NOT_FOUND': () => ({ body: { phone: aPhone() } }) },
  },
  {
    line: 'POST /api/v1/rag/knowledgebases',
    auth: 'Key',
    data: shapes.knowledgeBaseWithSources,
    ask: (world) => ({ body: { name: 'Help centre', ...org(world), enable_auto_refresh: true } }),
    refusals: {
      '400 INVALID_REQUEST': () => ({ body: { name: ' ' } }),
      '404 NOT_FOUND': () => ({ body: { name: 'Help centre', ...stranger() } }),
    },
  },
  {
    line: 'POST /api/v1/rag/document',
    auth: 'Key',
    data: shapes.knowledgeDocument,
    ask: (world) => ({ body: { kb_id: world.baseId, doc_id: 'hours', text: 'We are open from nine to five.' } }),
    refusals: {
      '400 INVALID_REQUEST': () => ({ body: { kb_id: randomUUID(), text: 'x' } }),
      '409 CONFLICT': async (world) => ({
        body: { kb_id: await aBase(world.server), doc_id: world.docId, text: 'x' },
      }),
    },
  },
];

/** Operations beyond the first description of the interface. */
const further: Row[] = [
  // 2: who is calling
  {
    line: 'GET /api/v1/api-keys',
    auth: 'Key',
    data: [
      {
        id: 'uuid',
        name: 'string',
        role: 'string',
        created_at: 'time',
        last_used_at: 'time?',
        expires_at: 'time?',
      },
    ],
  },
  {
    line: 'POST /api/v1/api-keys',
    auth: 'Key',
    data: shapes.newApiKey,
    ask: () => ({ body: { name: 'CI', role: 'member' } }),
    refusals: { '400 INVALID_REQUEST': () => ({ body: { name: 'CI', role: 'owner' } }) },
  },
  {
    line: 'DELETE /api/v1/api-keys/{id}',
    auth: 'Key',
    data: null,
    ask: async ({ server }) => ({
      at: { id: dataOf(await server.post('/api-keys', { name: 'old', role: 'viewer' })).id },
    }),
  },
  {
    line: 'POST /api/v1/api-keys/{id}/rotate',
    auth: 'Key',
    data: shapes.newApiKey,
    ask: async ({ server }) => ({
      at: { id: dataOf(await server.post('/api-keys', { name: 'old', role: 'viewer' })).id },
      body: { overlap_seconds: 60 },
    }),
  },
  {
    line: 'POST /api/v1/auth/token',
    auth: 'Key',
    data: shapes.accessToken,
  },
  {
    line: 'POST /api/v1/auth/login',
    auth: 'none',
    data: shapes.accessToken,
    ask: ({ user }) => ({ body: user }),
    refusals: {
      '400 INVALID_REQUEST': ({ user }) => ({ body: { email: user.email } }),
      '401 -': ({ user }) => ({ body: { ...user, password: 'something else' } }),
    },
  },
  {
    line: 'POST /api/v1/auth/setup',
    auth: 'none',
    data: shapes.session,
    ask: async (world) => ({ body: await anInvitation(world) }),
    refusals: {
      '400 INVALID_REQUEST': async (world) => ({
        body: { ...(await anInvitation(world)), email: 'other@example.com' },
      }),
      '401 -': () => ({ body: { token: 'x', email: 'ada@example.com', password: 'long enough' } }),
      '403 FORBIDDEN': async (world) => ({
        body: await anInvitation(world),
        headers: { 'sec-fetch-site': 'cross-site' },
      }),
    },
  },
  {
    line: 'POST /api/v1/session',
    auth: 'none',
    data: shapes.session,
    ask: ({ user }) => ({ body: user }),
    refusals: {
      '400 INVALID_REQUEST': ({ user }) => ({ body: { email: user.email } }),
      '401 -': ({ user }) => ({ body: { ...user, password: 'something else' } }),
      '403 FORBIDDEN': ({ user }) => ({ body: user, headers: { origin: 'http://127.0.0.1:1' } }),
    },
  },
  {
    line: 'GET /api/v1/session',
    auth: 'none',
    data: shapes.session,
    ask: async (world) => ({ headers: { cookie: (await loggedIn(world)).cookie } }),
  },
  {
    line: 'DELETE /api/v1/session',
    auth: 'Session',
    data: null,
    ask: async (world) => ({ headers: (await loggedIn(world)).page.headers! }),
    refusals: { '403 FORBIDDEN': async (world) => ({ headers: { cookie: (await loggedIn(world)).cookie } }) },
  },
  {
    line: 'GET /api/v1/sessions',
    auth: 'Session',
    data: [
      {
        id: 'uuid',
        created_at: 'time',
        last_used_at: 'time',
        ip: 'string',
        user_agent: 'string?',
        current: 'boolean',
      },
    ],
    ask: async (world) => ({ headers: (await loggedIn(world)).page.headers! }),
  },
  {
    line: 'DELETE /api/v1/sessions/{id}',
    auth: 'Session',
    data: null,
    async ask(world) {
      const { id, page } = await loggedIn(world);
      return { at: { id }, headers: page.headers! };
    },
  },
  {
    line: 'POST /api/v1/session/password',
    auth: 'Session',
    data: null,
    ask: async (world) => ({
      headers: (await loggedIn(world)).page.headers!,
      body: { current_password: world.user.password, new_password: world.user.password },
    }),
    refusals: {
      '400 INVALID_REQUEST': async (world) => ({
        headers: (await loggedIn(world)).page.headers!,
        body: { current_password: 'something else', new_password: world.user.password },
      }),
    },
  },
  { line: 'GET /api/v1/users', auth: 'Key', data: [shapes.user] },
  {
    line: 'POST /api/v1/users',
    auth: 'Key',
    data: shapes.user,
    ask: () => ({ body: { email: anEmail(), role: 'member' } }),
    refusals: {
      '400 INVALID_REQUEST': () => ({ body: { email: anEmail(), role: 'owner' } }),
      '409 CONFLICT': ({ user }) => ({ body: { email: user.email, role: 'member' } }),
    },
  },
  {
    line: 'PATCH /api/v1/users/{id}',
    auth: 'Key',
    data: shapes.user,
    ask: async ({ server }) => ({ at: { id: await anInvited(server) }, body: { role: 'viewer' } }),
  },
  {
    line: 'DELETE /api/v1/users/{id}',
    auth: 'Key',
    data: null,
    ask: async ({ server }) => ({ at: { id: await anInvited(server) } }),
  },
  {
    line: 'POST /api/v1/users/{id}/link',
    auth: 'Key',
    data: shapes.user,
    ask: async ({ server }) => ({ at: { id: await anInvited(server) } }),
  },
  {
    line: 'GET /api/v1/audit',
    auth: 'Key',
    data: [
      {
        id: 'uuid',
        at: 'time',
        actor: { kind: 'string', id: 'string?', name: 'string?' },
        operation: 'string',
        target: 'object',
        target_kind: 'string?',
        target_id: 'string?',
        target_name: 'string?',
        changes: 'changes?',
        request_id: 'string?',
        ip: 'string?',
      },
    ],
    paged: true,
  },
  {
    line: 'GET /api/v1/audit/operations',
    auth: 'Key',
    data: [{ operation: 'string', verb: 'string', target_kind: 'string?', title: 'string' }],
  },
  { line: 'GET /api/v1/organization', auth: 'Key', data: shapes.organization },
  {
    line: 'PATCH /api/v1/organization',
    auth: 'Key',
    data: shapes.organization,
    ask: () => ({ body: { notification_emails: ['ops@example.com'] } }),
    refusals: { '400 INVALID_REQUEST': () => ({ body: { notification_emails: ['nobody'] } }) },
  },
  // 3: starting and configuring
  { line: 'GET /livez', auth: 'none', data: null, bare: { status: 'string' } },
  { line: 'GET /openapi.json', auth: 'none', data: null, bare: 'object' },
  { line: 'GET /metrics', auth: 'Key', data: null, bare: null },
  { line: 'GET /api/v1/test-clock', auth: 'Key', data: { now: 'time' } },
  {
    line: 'POST /api/v1/test-clock/advance',
    auth: 'Key',
    data: { now: 'time', ran: 'object' },
    ask: () => ({ body: { ms: 1 } }),
    refusals: { '400 INVALID_REQUEST': () => ({ body: {} }) },
  },
  {
    line: 'GET /api/v1/system',
    auth: 'Key',
    data: {
      version: 'string',
      carrier: { driver: 'string', simulated: 'boolean', drivers: ['string'] },
      storage: 'string',
      clock: { now: 'time', test: 'boolean' },
      email: { configured: 'boolean' },
      checks: [{ id: 'string', status: 'string', message: 'string' }],
      backup: { last_at: 'time?', next_at: 'time?', path: 'string?', size_bytes: 'integer?', error: 'string?' },
      nodes: [
        { id: 'string', name: 'string', version: 'string', roles: ['string'], started_at: 'time', seen_at: 'time' },
      ],
      uptime_sec: 'integer',
      queue: { due: 'integer', oldest_sec: 'integer' },
    },
  },
  // 5: contacts and notes
  {
    line: 'DELETE /api/v1/contacts/{id}/notes/{note_id}',
    auth: 'Key',
    data: null,
    async ask({ server, contactId }) {
      const note = dataOf(await server.post(`/contacts/${contactId}/notes`, { content: 'Wrong person.' }));
      return { at: { id: contactId, note_id: note.id } };
    },
  },
  {
    line: 'GET /api/v1/do-not-call',
    auth: 'Key',
    data: [{ phone: 'string', reason: 'string?', created_at: 'time' }],
    paged: true,
  },
  {
    line: 'POST /api/v1/do-not-call',
    auth: 'Key',
    data: { added: 'integer' },
    ask: () => ({ body: { phones: [aPhone()] } }),
    refusals: { '400 INVALID_REQUEST': () => ({ body: {} }) },
  },
  {
    line: 'POST /api/v1/do-not-call/import',
    auth: 'Key',
    data: {
      added: 'integer',
      already: 'integer',
      rejected: [{ row: 'integer', reason: 'string' }],
      rejected_count: 'integer',
    },
    ask: () => ({ body: `phone\n${aPhone()}\nx\n`, headers: { 'content-type': 'text/csv' } }),
    refusals: { '400 INVALID_REQUEST': () => ({ body: 'a,b\n1,2\n', headers: { 'content-type': 'text/csv' } }) },
  },
  {
    line: 'DELETE /api/v1/do-not-call/{phone}',
    auth: 'Key',
    data: null,
    async ask({ server }) {
      const phone = aPhone();
      dataOf(await server.post('/do-not-call', { phone }));
      return { at: { phone } };
    },
    refusals: { '404 NOT_FOUND': () => ({ at: { phone: aPhone() } }) },
  },
  {
    line: 'POST /api/v1/contacts/import',
    auth: 'Key',
    data: {
      import_id: 'uuid?',
      created: 'integer',
      updated: 'integer',
      rejected: [{ row: 'integer', reason: 'string' }],
      rejected_count: 'integer',
      warnings: [{ row: 'integer', field: 'string', reason: 'string' }],
      warning_count: 'integer',
      skipped: [{ row: 'integer', reason: 'string' }],
      repeated: [{ row: 'integer', first_row: 'integer' }],
      total: 'integer',
      columns: [{ name: 'string', to: 'string?' }],
      sample: [['string']],
      contact_ids: 'uuids?',
    },
    ask: () => ({
      query: { dedupe: 'phone' },
      body: `first_name,phone,shoe size\nAda,${aPhone()},38\nGrace,not a phone,39\n`,
      headers: { 'content-type': 'text/csv' },
    }),
    refusals: {
      '400 INVALID_REQUEST': () => ({
        query: { dedupe: 'name' },
        body: 'phone\n',
        headers: { 'content-type': 'text/csv' },
      }),
      '415 UNSUPPORTED_MEDIA_TYPE': () => ({ body: {} }),
    },
  },
  ...(['rejected', 'warnings'] as const).map((kind): Row => ({
    line: `GET /api/v1/contacts/imports/{import_id}/${kind}`,
    auth: 'Key',
    data: null,
    bare: null,
    async ask({ server }) {
      const headers = { 'content-type': 'text/csv' };
      const answer = await server.post<{ import_id: string }>('/contacts/import', 'phone,email\nx,y\n', {
        headers,
      });
      return { at: { import_id: dataOf(answer).import_id } };
    },
  })),
  {
    line: 'GET /api/v1/contacts/imports/{import_id}',
    auth: 'Key',
    data: {
      state: 'string',
      rows_read: 'integer',
      created: 'integer',
      updated: 'integer',
      rejected_count: 'integer',
      warning_count: 'integer',
      started_at: 'time',
      ended_at: 'time?',
    },
    async ask({ server }) {
      const headers = { 'content-type': 'text/csv' };
      const answer = await server.post<{ import_id: string }>('/contacts/import', 'phone\n+4930901820\n', { headers });
      return { at: { import_id: dataOf(answer).import_id } };
    },
  },
  {
    line: 'POST /api/v1/campaigns/{id}/contacts/import',
    auth: 'Key',
    data: {
      import_id: 'uuid?',
      created: 'integer',
      updated: 'integer',
      rejected: [{ row: 'integer', reason: 'string' }],
      rejected_count: 'integer',
      warnings: [{ row: 'integer', field: 'string', reason: 'string' }],
      warning_count: 'integer',
      skipped: [{ row: 'integer', reason: 'string' }],
      repeated: [{ row: 'integer', first_row: 'integer' }],
      total: 'integer',
      columns: [{ name: 'string', to: 'string?' }],
      sample: [['string']],
      contact_ids: 'uuids?',
      added: 'integer',
    },
    ask: (world) => ({
      at: { id: world.campaignId },
      query: { ids: 'true' },
      body: `first_name,phone,tags\nAda,${aPhone()},vip\nGrace,not a phone,\nBob,,\n`,
      headers: { 'content-type': 'text/csv' },
    }),
    refusals: {
      '400 INVALID_REQUEST': (world) => ({
        at: { id: world.campaignId },
        query: { mapping: '[]' },
        body: 'phone\n',
        headers: { 'content-type': 'text/csv' },
      }),
      '415 UNSUPPORTED_MEDIA_TYPE': (world) => ({ at: { id: world.campaignId }, body: {} }),
    },
  },
  { line: 'GET /api/v1/contacts/export', auth: 'Key', data: null, bare: null },
  { line: 'GET /api/v1/calls/export', auth: 'Key', data: null, bare: null },
  // 15: search, live
  {
    line: 'GET /api/v1/search',
    auth: 'Key',
    data: [{ kind: 'string', id: 'uuid', title: 'string', subtitle: 'string?' }],
    ask: () => ({ query: { q: 'Robin' } }),
    refusals: { '400 INVALID_REQUEST': () => ({}) },
  },
  {
    line: 'GET /api/v1/live',
    auth: 'Key',
    data: null,
    isEndless: true,
    refusals: {
      '400 INVALID_REQUEST': () => ({}),
      '404 NOT_FOUND': () => ({ query: { topic: `campaign:${randomUUID()}` } }),
    },
  },
  // 6: campaigns
  {
    line: 'GET /api/v1/campaigns/{id}/plan',
    auth: 'Key',
    data: plan,
    ask: ofCampaign,
  },
  {
    line: 'GET /api/v1/campaigns/outlook',
    auth: 'Key',
    data: [
      {
        campaign_id: 'uuid',
        agent_name: 'string?',
        open: 'boolean',
        opens_at: 'time?',
        closes_at: 'time?',
        finishes_at: 'time?',
      },
    ],
    ask: (world) => ({ query: { campaign_id: world.campaignId } }),
    refusals: { '400 INVALID_REQUEST': () => ({}) },
  },
  {
    line: 'GET /api/v1/campaigns/{id}/zones',
    auth: 'Key',
    data: [{ timezone: 'string?', pending: 'integer' }],
    async ask(world) {
      const { id } = await aCampaign(world.server);
      dataOf(await world.server.post(`/campaigns/${id}/contacts`, { contacts: [{ phone: aPhone() }] }));
      return { at: { id } };
    },
  },
  {
    line: 'POST /api/v1/campaigns/{id}/contacts/remove',
    auth: 'Key',
    data: { removed: 'integer', has_more: 'boolean' },
    ask: (world) => ({ at: { id: world.campaignId }, body: { status: ['pending'], tag: 'nobody' } }),
    refusals: { '400 INVALID_REQUEST': (world) => ({ at: { id: world.campaignId }, body: {} }) },
  },
  {
    line: 'POST /api/v1/campaigns/{id}/redial',
    auth: 'Key',
    data: { ...shapes.campaign, added: 'integer', left_out: [{ reason: 'string', count: 'integer' }] },
    async ask(world) {
      const { id } = await aRunningCampaign(world);
      dataOf(await world.server.patch(`/campaigns/${id}`, { status: 'completed' }));
      return { at: { id }, body: { name: 'Again' } };
    },
    refusals: {
      '400 INVALID_REQUEST': (world) => ({ at: { id: world.campaignId }, body: { statuses: ['pending'] } }),
      '409 CONFLICT': (world) => ({ at: { id: world.campaignId }, body: {} }),
    },
  },
  { line: 'GET /api/v1/campaigns/{id}/results', auth: 'Key', data: null, bare: null, ask: ofCampaign },
  {
    line: 'POST /api/v1/campaigns/{id}/plan',
    auth: 'Key',
    data: plan,
    ask: (world) => ({ at: { id: world.campaignId }, body: { maxCps: 2 } }),
    refusals: {
      '400 INVALID_REQUEST': (world) => ({ at: { id: world.campaignId }, body: { maxCps: 0 } }),
    },
  },
  {
    line: 'POST /api/v1/plan',
    auth: 'Key',
    data: plan,
    ask: () => ({ body: { schedule: {}, maxCps: 1, contacts: 2 } }),
    refusals: { '400 INVALID_REQUEST': () => ({ body: { schedule: {}, maxCps: 1 } }) },
  },
  {
    line: 'GET /api/v1/campaigns/{id}/activity',
    auth: 'Key',
    data: [
      {
        at: 'time',
        started: 'integer',
        completed: 'integer',
        no_answer: 'integer',
        busy: 'integer',
        voicemail: 'integer',
        failed: 'integer',
      },
    ],
    ask: (world) => ({
      at: { id: world.campaignId },
      query: { from: '2026-03-02T09:00:00Z', to: '2026-03-02T10:00:00Z' },
    }),
    refusals: {
      '400 INVALID_REQUEST': (world) => ({ at: { id: world.campaignId }, query: { step: '0' } }),
    },
  },
  {
    line: 'GET /api/v1/campaigns/{id}/hours',
    auth: 'Key',
    data: [{ weekday: 'integer', hour: 'integer', calls: 'integer', answered: 'integer' }],
    ask: ofCampaign,
  },
  {
    line: 'GET /api/v1/campaigns/{id}/events',
    auth: 'Key',
    data: [{ at: 'time', type: 'string', actor: 'object?', detail: 'object' }],
    paged: true,
    ask: ofCampaign,
  },
  {
    line: 'GET /api/v1/campaigns/{id}/contacts/{contact_id}/why',
    auth: 'Key',
    data: why,
    ask: (world) => ({ at: { id: world.campaignId, contact_id: world.contactId } }),
  },
  {
    line: 'GET /api/v1/contacts/{id}/why',
    auth: 'Key',
    data: [{ campaign_id: 'uuid', campaign_name: 'string', ...why }],
    ask: (world) => ({ ...ofContact(world), query: { hours: '24' } }),
    refusals: { '400 INVALID_REQUEST': (world) => ({ ...ofContact(world), query: { hours: '73' } }) },
  },
  // 7: calls and carriers
  { line: 'GET /api/v1/calls', auth: 'Key', data: [shapes.call], paged: true },
  { line: 'GET /api/v1/calls/{id}', auth: 'Key', data: shapes.call, ask: ofCall },
  {
    line: 'POST /api/v1/calls',
    auth: 'Key',
    data: shapes.call,
    ask: (world) => ({ body: { agent_id: world.agentId, to: aPhone(), phone_number_id: world.numberId } }),
    refusals: {
      '400 INVALID_REQUEST': (world) => ({ body: { agent_id: world.agentId, to: aPhone() } }),
      '409 CONFLICT': async (world) => ({
        body: {
          agent_id: (await anAgent(world.server, { status: 'INACTIVE' })).id,
          to: aPhone(),
          phone_number_id: world.numberId,
        },
      }),
    },
  },
  {
    line: 'POST /api/v1/agents/{id}/conversations',
    auth: 'Key',
    data: conversation,
    ask: ofTalkedTo,
    refusals: {
      '400 INVALID_REQUEST': (world) => ({ ...ofAgentById(world), body: { settings: { voiceId: 'nobody' } } }),
    },
  },
  { line: 'GET /api/v1/agents/{id}/conversations/{cid}', auth: 'Key', data: conversation, ask: inConversation },
  {
    line: 'POST /api/v1/agents/{id}/conversations/{cid}/turns',
    auth: 'Key',
    data: { turns: [turn], ended: 'boolean', cost_total: 'number' },
    ask: async (world) => ({ ...(await inConversation(world)), body: { text: 'Hello' } }),
    refusals: {
      '400 INVALID_REQUEST': async (world) => ({ ...(await inConversation(world)), body: { text: '' } }),
    },
  },
  { line: 'DELETE /api/v1/agents/{id}/conversations/{cid}', auth: 'Key', data: null, ask: inConversation },
  {
    line: 'GET /api/v1/calls/{id}/turns',
    auth: 'Key',
    data: [
      {
        role: 'string',
        text: 'string',
        from_ms: 'integer',
        to_ms: 'integer?',
        interrupted: 'boolean?',
        latency: 'object?',
        tools: 'changes?',
        passages: 'changes?',
      },
    ],
    ask: ofCall,
  },
  {
    line: 'POST /api/v1/auth/invitation',
    auth: 'none',
    data: { organization: named, email: 'string?', role: 'string' },
    ask: async (world) => ({ body: { token: (await anInvitation(world)).token } }),
    refusals: { '401 -': () => ({ body: { token: 'unknown' } }) },
  },
  { line: 'GET /api/v1/views', auth: 'Key', data: [savedView], ask: async (world) => (await aView(world), {}) },
  {
    line: 'POST /api/v1/views',
    auth: 'Key',
    data: savedView,
    ask: () => ({ body: viewToSave }),
    refusals: { '400 INVALID_REQUEST': () => ({ body: { ...viewToSave, page: 'nowhere' } }) },
  },
  {
    line: 'PATCH /api/v1/views/{id}',
    auth: 'Key',
    data: savedView,
    ask: async (world) => ({ ...(await aView(world)), body: { name: 'Busy today' } }),
  },
  { line: 'DELETE /api/v1/views/{id}', auth: 'Key', data: null, ask: aView },
  { line: 'POST /api/v1/calls/{id}/replay', auth: 'Key', data: conversation, ask: ofCall },
  {
    line: 'POST /api/v1/agents/{id}/test-calls',
    auth: 'Key',
    data: { call_session_id: 'uuid', audio_url: 'string', ticket: 'string', expires_at: 'time' },
    ask: (world) => ({ ...ofAgentById(world), body: {} }),
    refusals: {
      '400 INVALID_REQUEST': (world) => ({ ...ofAgentById(world), body: { contact_id: randomUUID() } }),
    },
  },
  {
    line: 'POST /api/v1/calls/{id}/hangup',
    auth: 'Key',
    data: shapes.call,
    ask: async (world) => ({ at: { id: (await onThePhone(world)).callId } }),
    refusals: { '409 CONFLICT': ofCall },
  },
  {
    line: 'POST /api/v1/calls/hangup',
    auth: 'Key',
    data: { hung_up: 'integer' },
    ask: async (world) => ({ body: { filter: { campaign_id: (await onThePhone(world)).campaignId } } }),
    refusals: { '400 INVALID_REQUEST': () => ({ body: { filter: {} } }) },
  },
  { line: 'GET /api/v1/calls/{id}/recording', auth: 'Key', data: null, bare: null, ask: ofRecordedCall },
  {
    line: 'GET /api/v1/calls/{id}/envelope',
    auth: 'Key',
    data: { duration_ms: 'integer', person: ['integer'], agent: ['integer'] },
    ask: ofRecordedCall,
    refusals: { '400 INVALID_REQUEST': (world) => ({ ...ofCall(world), query: { points: '99' } }) },
  },
  {
    line: 'DELETE /api/v1/calls/{id}/recording',
    auth: 'Key',
    data: { id: 'uuid' },
    ask: ofRecordedCall,
    refusals: {
      '409 CONFLICT': async (world) => {
        const { callId } = await onThePhone(world);
        await aRecording(world.server.running.app, callId);
        return { at: { id: callId } };
      },
    },
  },
  {
    line: 'POST /api/v1/calls/{id}/dtmf',
    auth: 'Key',
    data: shapes.call,
    ask: async (world) => ({ ...(await answeredSipCall(world)), body: { digits: '12#' } }),
    refusals: {
      '400 INVALID_REQUEST': (world) => ({ ...ofCall(world), body: { digits: '12E' } }),
      '409 CONFLICT': (world) => ({ ...ofCall(world), body: { digits: '12#' } }),
    },
  },
  {
    line: 'POST /api/v1/calls/{id}/say',
    auth: 'Key',
    data: shapes.call,
    ask: async (world) => ({ ...(await answeredSipCall(world)), body: { text: 'One moment, please.' } }),
    refusals: {
      '400 INVALID_REQUEST': (world) => ({ ...ofCall(world), body: { text: '' } }),
      '409 CONFLICT': (world) => ({ ...ofCall(world), body: { text: 'Hello?' } }),
    },
  },
  {
    line: 'POST /api/v1/calls/{id}/transfer',
    auth: 'Key',
    data: shapes.call,
    ask: async (world) => ({ ...(await answeredSipCall(world)), body: { to: '+4930901820' } }),
    refusals: {
      '400 INVALID_REQUEST': (world) => ({ ...ofCall(world), body: { to: '030' } }),
      '409 CONFLICT': (world) => ({ ...ofCall(world), body: { to: aPhone() } }),
    },
  },
  {
    line: 'GET /api/v1/calls/{id}/timeline',
    auth: 'Key',
    data: [{ at: 'time', type: 'string', detail: 'string?' }],
    ask: answeredSipCall,
  },
  {
    // This server has the simulated carrier, which has no voice runtime. Signed requests are tested in http-carrier.test.ts.
    line: 'POST /api/v1/calls/{id}/events',
    auth: 'signature',
    data: { call_session_id: 'uuid', state: 'string' },
    refusals: { '404 NOT_FOUND': (world) => ({ ...ofCall(world), body: { type: 'ringing' } }) },
  },
  {
    line: 'POST /api/v1/calls/{id}/knowledge',
    auth: 'signature',
    data: [shapes.passage],
    refusals: { '404 NOT_FOUND': (world) => ({ ...ofCall(world), body: { query: 'x' } }) },
  },
  {
    line: 'GET /api/v1/analytics',
    auth: 'Key',
    data: {
      from: 'time',
      to: 'time',
      step: 'string',
      timezone: 'string',
      buckets: ['time'],
      rows: [{ key: 'string', name: 'string?', totals: figures, series: [figures] }],
    },
    ask: () => ({ query: { by: 'agent' } }),
    refusals: { '400 INVALID_REQUEST': () => ({ query: { from: '2026-03-02T09:01:00Z' } }) },
  },
  { line: 'GET /api/v1/calling', auth: 'Key', data: { stopped: 'boolean', stopped_at: 'time?', ...callingFacts } },
  {
    line: 'POST /api/v1/calling/stop',
    auth: 'Key',
    data: { stopped_at: 'time', ...callingFacts, hung_up: 'integer' },
    ask: async (world) => {
      await world.server.post('/calling/resume', {});
      await aRunningCampaign(world);
      return { body: { hang_up: 'none' } };
    },
    refusals: { '400 INVALID_REQUEST': () => ({ body: { hang_up: 'some' } }) },
  },
  {
    line: 'POST /api/v1/calling/resume',
    auth: 'Key',
    data: { resumed: [named], not_resumed: [{ ...named, reason: 'string' }] },
    ask: async (world) => {
      await world.server.post('/calling/resume', {});
      await aRunningCampaign(world);
      await world.server.post('/calling/stop', { hang_up: 'none' });
      return { body: {} };
    },
    refusals: { '409 CONFLICT': () => ({ body: {} }) },
  },
  // 8: phone numbers
  {
    line: 'PATCH /api/v1/phone-numbers/{id}',
    auth: 'Key',
    data: shapes.phoneNumber,
    ask: (world) => ({ at: { id: world.numberId }, body: { name: 'Main line', max_concurrent: 50, max_cps: 5 } }),
    refusals: {
      '400 INVALID_REQUEST': (world) => ({ at: { id: world.numberId }, body: { max_cps: 0 } }),
    },
  },
  {
    line: 'POST /api/v1/phone-numbers/{id}/check',
    auth: 'Key',
    data: {
      reachable: 'boolean',
      status_code: 'integer?',
      transport: 'string?',
      address: 'string?',
      duration_ms: 'integer',
      detail: 'string?',
    },
    ask: (world) => ({ at: { id: world.numberId } }),
  },
  {
    line: 'GET /api/v1/phone-numbers/available',
    auth: 'Key',
    data: [{ phone: 'string', name: 'string?', monthly_price: 'number?' }],
  },
  // 9: calendar
  {
    line: 'GET /api/v1/calendar/slots',
    auth: 'Bearer',
    data: {
      event_type_id: 'string',
      calendar_account_id: 'uuid',
      timezone: 'string',
      slots: [{ start: 'time', end: 'time', local_start: 'string' }],
    },
    ask: (world) => ({
      query: {
        ...org(world),
        event_type_id: String(world.eventType.id),
        start: '2026-03-03',
        end: '2026-03-04',
        timezone: 'Europe/Berlin',
      },
    }),
    refusals: {
      '400 INVALID_REQUEST': (world) => ({ query: org(world) }),
      '404 NOT_FOUND': (world) => ({
        query: { ...stranger(), event_type_id: String(world.eventType.id), start: '2026-03-03', end: '2026-03-04' },
      }),
    },
  },
  {
    line: 'POST /api/v1/calendar/bookings',
    auth: 'Bearer',
    data: {
      id: 'string',
      uid: 'string',
      title: 'string?',
      status: 'string',
      start: 'time',
      end: 'time',
      location: 'string?',
      occurrences: 'integer',
      event_type_id: 'string',
      calendar_account_id: 'uuid',
    },
    ask(world) {
      world.eventType.free.push(world.slot);
      return { body: booking(world) };
    },
    refusals: { '400 INVALID_REQUEST': () => ({ body: {} }) },
  },
  // 10: knowledge bases
  {
    line: 'GET /api/v1/rag/knowledge-base/{kb_id}',
    auth: 'Key',
    data: shapes.knowledgeBaseWithSources,
    ask: (world) => ({ at: { kb_id: world.baseId } }),
  },
  {
    line: 'PATCH /api/v1/rag/knowledge-base/{kb_id}',
    auth: 'Key',
    data: shapes.knowledgeBaseWithSources,
    ask: (world) => ({ at: { kb_id: world.baseId }, body: { name: 'Help', enable_auto_refresh: true } }),
    refusals: {
      '400 INVALID_REQUEST': (world) => ({ at: { kb_id: world.baseId }, body: { name: '' } }),
    },
  },
  {
    line: 'GET /api/v1/rag/knowledge-base/{kb_id}/sources',
    auth: 'Key',
    data: [shapes.knowledgeBase.knowledge_base_sources[0]],
    paged: true,
    ask: (world) => ({ at: { kb_id: world.baseId } }),
  },
  {
    line: 'POST /api/v1/rag/knowledge-base/{kb_id}/sources/{source_id}/refresh',
    auth: 'Key',
    data: shapes.knowledgeBase.knowledge_base_sources[0],
    async ask(world) {
      const { url_sources: sites } = await addSources(world.server, world.baseId, {
        knowledge_base_urls: ['https://parley.invalid/'],
      });
      return { at: { kb_id: world.baseId, source_id: sites[0]!.source_id } };
    },
    refusals: {
      '409 CONFLICT': async (world) => {
        const body = { knowledge_base_texts: [{ title: 'Hours', text: 'From nine to five.' }] };
        const { knowledge_base: base } = await addSources(world.server, world.baseId, body);
        return { at: { kb_id: world.baseId, source_id: base.knowledge_base_sources.at(-1)!.source_id } };
      },
    },
  },
  {
    line: 'DELETE /api/v1/rag/knowledge-base/{kb_id}',
    auth: 'Key',
    data: null,
    ask: async (world) => ({ at: { kb_id: await aBase(world.server) } }),
  },
  {
    line: 'DELETE /api/v1/rag/knowledge-base/{kb_id}/sources/{source_id}',
    auth: 'Key',
    data: null,
    async ask(world) {
      const body = { knowledge_base_texts: [{ title: 'Old', text: 'Not true any more.' }] };
      const { knowledge_base: base } = await addSources(world.server, world.baseId, body);
      return { at: { kb_id: world.baseId, source_id: base.knowledge_base_sources.at(-1)!.source_id } };
    },
  },
  {
    line: 'POST /api/v1/rag/knowledge-base/{kb_id}/query',
    auth: 'Key',
    data: [shapes.passage],
    ask: (world) => ({ at: { kb_id: world.baseId }, body: { query: 'returning what I bought', limit: 1 } }),
    refusals: {
      '400 INVALID_REQUEST': (world) => ({ at: { kb_id: world.baseId }, body: { query: '' } }),
    },
  },
  { line: 'GET /api/v1/rag/documents', auth: 'Key', data: [shapes.knowledgeDocument], paged: true },
  {
    line: 'DELETE /api/v1/rag/document',
    auth: 'Key',
    data: null,
    async ask(world) {
      dataOf(
        await world.server.post('/rag/document', { kb_id: world.baseId, doc_id: 'old', text: 'Not true any more.' }),
      );
      return { query: { doc_id: 'old' } };
    },
    refusals: {
      '400 INVALID_REQUEST': () => ({}),
      '404 NOT_FOUND': () => ({ query: { doc_id: 'unheard of' } }),
    },
  },
  // 11: webhooks
  {
    line: 'GET /api/v1/agents/{id}/webhook-secret',
    auth: 'Key',
    data: { secret: 'string', previous_expires_at: 'time?' },
    ask: ofAgentById,
  },
  {
    line: 'POST /api/v1/agents/{id}/webhook-secret/rotate',
    auth: 'Key',
    data: { secret: 'string', previous_expires_at: 'time?' },
    ask: (world) => ({ at: { id: world.agentId }, body: { overlap_seconds: 60 } }),
  },
  { line: 'GET /api/v1/webhooks/endpoints', auth: 'Key', data: [shapes.listedEndpoint], paged: true },
  {
    line: 'GET /api/v1/webhooks/deliveries',
    auth: 'Key',
    data: [{ ...shapes.delivery, subject: 'object?' }],
    paged: true,
  },
  {
    line: 'GET /api/v1/webhooks/deliveries/{id}',
    auth: 'Key',
    data: {
      ...shapes.delivery,
      subject: 'object?',
      payload: 'object',
      attempts: [
        {
          number: 'integer',
          at: 'time',
          duration_ms: 'integer',
          status_code: 'integer?',
          error: 'string?',
          response_body: 'string?',
          request_headers: 'object?',
          response_headers: 'object?',
        },
      ],
    },
    ask: ofDelivery,
  },
  {
    line: 'POST /api/v1/webhooks/deliveries/retry',
    auth: 'Key',
    data: { queued: 'integer' },
    ask: (world) => ({ body: { status: 'exhausted', endpoint_id: world.endpointId } }),
    refusals: { '400 INVALID_REQUEST': () => ({ body: { status: 'lost' } }) },
  },
  { line: 'POST /api/v1/webhooks/deliveries/{id}/retry', auth: 'Key', data: shapes.delivery, ask: ofDelivery },
  {
    line: 'POST /api/v1/webhooks/endpoints/{id}/retry-failed',
    auth: 'Key',
    data: { queued: 'integer' },
    ask: (world) => ({ at: { id: world.endpointId }, body: { since: '2026-03-01T00:00:00Z' } }),
    refusals: {
      '400 INVALID_REQUEST': (world) => ({ at: { id: world.endpointId }, body: { since: 'yesterday' } }),
    },
  },
  { line: 'POST /api/v1/webhooks/endpoints/{id}/resume', auth: 'Key', data: shapes.endpoint, ask: ofEndpoint },
  {
    line: 'POST /api/v1/webhooks/endpoints/{id}/pause',
    auth: 'Key',
    data: shapes.endpoint,
    ask: (world) => ({ ...ofEndpoint(world), body: { reason: 'moving' } }),
  },
  { line: 'POST /api/v1/webhooks/endpoints/{id}/test', auth: 'Key', data: shapes.delivery, ask: ofEndpoint },
  {
    line: 'POST /api/v1/webhooks/events',
    auth: 'Key',
    data: { event_id: 'uuid' },
    ask: (world) => ({ body: { type: 'call.completed', agent_id: world.agentId, outcome: 'busy' } }),
    refusals: {
      '400 INVALID_REQUEST': (world) => ({ body: { type: 'call.started', agent_id: world.agentId } }),
    },
  },
  {
    line: 'POST /api/v1/notices/read',
    auth: 'Key',
    data: { read: 'integer' },
    ask: () => ({ body: { all: true } }),
    refusals: { '400 INVALID_REQUEST': () => ({ body: {} }) },
  },
  {
    line: 'GET /api/v1/notices',
    auth: 'Key',
    data: [
      {
        id: 'uuid',
        kind: 'string',
        subject: 'string',
        body: 'string',
        created_at: 'time',
        sent_at: 'time?',
        last_error: 'string?',
        read_at: 'time?',
      },
    ],
    paged: true,
  },
];

/** All operations. */
export const rows: readonly Row[] = [...shown, ...referredTo, ...further];

export const methodOf = ({ line }: { line: string }): string => line.split(' ')[0]!;
export const pathOf = ({ line }: { line: string }): string => line.split(' ')[1]!;

/** The row's path with its placeholders filled in; the leading `//` makes the client take it from the server's root. */
export function filled(row: { line: string }, { at = {}, query }: Ask): string {
  const path = pathOf(row).replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(at[name] ?? randomUUID()));
  return `/${path}${query ? `?${new URLSearchParams(query).toString()}` : ''}`;
}
