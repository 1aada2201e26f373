import type { Demo } from './scenario.ts';
import type { Play } from './record.ts';
import type { Services } from './services.ts';

const minuteMs = 60_000;
const advance = (play: Play, ms: number) => play('advanceTestClock', { body: { ms } });

/** Plays the operations that need a browser, or services outside of parley. */
export async function playOutside(play: Play, demo: Demo, services: Services): Promise<void> {
  await sessions(play);
  await calendar(play, demo, services.calendar);
  const knowledgeBaseId = await webPages(play, demo, services.site.url);
  await voiceRuntime(play, { ...demo, knowledgeBaseId });
  await transfer(play, demo);
  await play('getSystem');
  for (const operationId of ['getReadiness', 'getLiveness', 'getMetrics']) await play(operationId);
}

async function sessions(play: Play): Promise<void> {
  const email = 'ada@example.com';
  const password = 'correct horse battery staple';
  const { link } = (await play('createUser', { body: { email, role: 'member' } })).data;
  const token = new URL(String(link)).searchParams.get('token')!;
  await play('readInvitation', { body: { token } });
  const first = (await play('setUp', { body: { token, email, password }, page: true })).data;
  await play('createSession', { body: { email, password } }); // on another device, without the cookie of the first
  await play('getSession', { page: true });
  await play('listSessions', { page: true });
  await play('endSession', { params: { id: first.id }, page: true });
  const changed = 'a completely different phrase';
  await play('changePassword', { body: { current_password: password, new_password: changed }, page: true });
  await play('deleteSession', { page: true });
  await play('logIn', { body: { email, password: changed } });
}

const slot = '2026-03-03T10:00:00Z';

async function calendar(play: Play, { orgId, agentId }: Demo, provider: Services['calendar']): Promise<void> {
  const apiKey = 'cal_live_0123456789abcdef';
  const eventType = {
    ...{ id: 4711, slug: 'demo', title: 'Demo', description: 'Half an hour to see it work' },
    ...{ lengthInMinutes: 30, price: 0, currency: 'eur', free: [slot, '2026-03-03T14:00:00Z'] },
  };
  provider.users.set(apiKey, {
    id: 1,
    name: 'Ada Lovelace',
    username: 'ada',
    email: 'ada@example.com',
    eventTypes: [eventType],
  });
  const org = { org_id: orgId };
  const account = (await play('connectCalendar', { body: { ...org, api_key: apiKey, account_name: 'Sales' } })).data;
  const query = { ...org };
  await play('connectCalendar', { body: { ...org, api_key: apiKey, account_name: 'Ava', agent_id: agentId } });
  await play('getCalendarStatus', { query, bearer: true });
  await play('getAgentCalendarStatus', { params: { agent_id: agentId }, bearer: true });
  await play('lookUpEventType', { params: { platform_id: 'demo' }, query, bearer: true });
  const days = { event_type_id: '4711', start: '2026-03-03', end: '2026-03-04', timezone: 'Europe/Berlin' };
  await play('listCalendarSlots', { query: { ...query, ...days }, bearer: true });
  const attendee = { name: 'Grace Hopper', email: 'grace@example.com', timezone: 'Europe/Berlin' };
  await play('createCalendarBooking', { body: { event_type_id: 4711, start: slot, attendee }, bearer: true });
  const ofAccount = { ...org, provider_id: String(account['provider_id']) };
  await play('disconnectCalendar', { body: ofAccount, bearer: true });
}

/** Crawls a site and reads it again. Returns the knowledge base. */
async function webPages(play: Play, { orgId }: Demo, site: string): Promise<string> {
  const base = (await play('createKnowledgeBase', { body: { org_id: orgId, name: 'Web site' } })).data;
  const id = String(base['knowledge_base_id']);
  const params = { kb_id: id };
  await play('addKnowledgeSources', { params, body: { knowledge_base_urls: [`${site}/help`] } });
  await advance(play, minuteMs);
  const { data } = (await play('listKnowledgeSources', { params })) as unknown as {
    data: Array<{ source_id: string }>;
  };
  await play('refreshKnowledgeSource', { params: { ...params, source_id: data[0]!.source_id } });
  await advance(play, minuteMs);
  return id;
}

/** A call over the carrier `http`, as its voice runtime reports it. */
async function voiceRuntime(
  play: Play,
  { agentId, knowledgeBaseId }: Demo & { knowledgeBaseId: string },
): Promise<void> {
  const from = '+4930901823';
  const number = { phone: from, termination_uri: 'sip.example.com', carrier: 'http' };
  await play('importPhoneNumber', { body: number });
  await play('updateAgent', { params: { agent_id: agentId }, body: { knowledgeBaseIds: [knowledgeBaseId] } });
  const call = (await play('createCall', { body: { agent_id: agentId, to: '+4930901824', from } })).data;
  await advance(play, 1000);
  const id = String(call['call_id']);
  const params = { id };
  const body = { call_session_id: id };
  const answered = { ...body, type: 'answered', at: String(call['created_at']) };
  await play('reportCallEvent', { params, body: answered, signed: true });
  const query = 'When will my parcel arrive?';
  await play('queryCallKnowledge', { params, body: { ...body, query, limit: 1 }, signed: true });
  await play('reportCallEvent', { params, body: { ...body, type: 'ended', status: 'completed' }, signed: true });
}

async function transfer(play: Play, { agentId }: Demo): Promise<void> {
  const call = (await play('createCall', { body: { agent_id: agentId, to: '+4930901800', from: '+12025550199' } }))
    .data;
  await advance(play, 10_000);
  await play('transferCall', { params: { id: String(call['call_id']) }, body: { to: '+4930901820' } });
}
