import type { Play } from './record.ts';

/** The demo's data: its agent calls the contacts of its campaign, which has just been started. */
export type Demo = { orgId: string; agentId: string; campaignId: string };

const minuteMs = 60_000;

/** Plays each operation once that needs no browser and nothing outside of parley; outside.ts has the others. */
export async function playScenario(play: Play, demo: Demo): Promise<void> {
  await campaignUnderWay(play, demo);
  await people(play);
  await calls(play, demo);
  await ownCampaign(play, demo);
  await webhooks(play, demo);
  await knowledge(play, demo);
  await agents(play, demo);
  await keys(play);
  await lists(play);
  await ends(play);
}

const advance = (play: Play, ms: number) => play('advanceTestClock', { body: { ms } });
const listOf = (answer: { data: unknown }) => answer.data as Array<Record<string, string> & { id: string }>;

async function campaignUnderWay(play: Play, { campaignId }: Demo): Promise<void> {
  await advance(play, minuteMs);
  const params = { id: campaignId };
  await play('listCampaigns');
  await play('getCampaign', { params });
  await play('planCampaign', { params });
  await play('listCampaignOutlooks', { query: { campaign_id: params.id } });
  await play('planUnsavedCampaign', { params, body: { schedule: { windowStart: '10:00', windowEnd: '18:00' } } });
  const [contact] = listOf(await play('listCampaignContacts', { params }));
  await play('explainCampaignContact', { params: { ...params, contact_id: contact!['contact_id']! } });
  await advance(play, 10 * minuteMs);
  await play('getCampaignActivity', { params });
  await play('getCampaignHours', { params });
  await play('listCampaignZones', { params });
  await play('listCampaignEvents', { params });
  await play('downloadCampaignResults', { params });
  await play('redialCampaign', { params, body: { statuses: ['no_answer', 'busy'] } });
  await play('getCalling');
}

async function people(play: Play): Promise<void> {
  const body = { first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com', phone: '+4930901800' };
  const { id } = (await play('createContact', { body })).data;
  const params = { id };
  await play('updateContact', { params, body: { company: 'Navy', timezone: 'Europe/Berlin' } });
  await play('getContact', { params });
  await play('listContacts', { query: { q: 'hopper' } });
  const note = (await play('createContactNote', { params, body: { content: 'Asked to be called on Thursday.' } })).data;
  await play('listContactNotes', { params });
  await play('deleteContactNote', { params: { id, note_id: note.id } });
  await play('optOutContact', { params, body: { reason: 'Asked not to be called' } });
  await play('liftContactOptOut', { params });
  await play('exportContacts');
  const importId = '019cadc6-9a80-7001-a45e-788430a62e9c';
  const file = 'Vorname,Handy,E-Mail\nAda,030 901801,ada at example.com\nAlan,030 901802,alan@example.com,44\n';
  await play('importContacts', { query: { default_country: 'DE', import_id: importId }, body: file });
  const ofImport = { params: { import_id: importId } };
  await play('getImport', ofImport);
  await play('downloadRejectedRows', ofImport);
  await play('downloadImportWarnings', ofImport);
  await play('addDoNotCall', { body: { phones: ['+4930901850'], reason: 'Asked not to be called' } });
  await play('listDoNotCall');
  await play('importDoNotCall', { query: { default_country: 'DE' }, body: 'phone\n030 901851\n' });
  await play('removeDoNotCall', { params: { phone: '+4930901850' } });
}

async function calls(play: Play, { agentId }: Demo): Promise<void> {
  const [call] = listOf(await play('listCalls', { query: { status: 'completed' } }));
  const params = { id: call!['call_id']! };
  await play('getCall', { params });
  await play('getCallTurns', { params });
  await play('getCallTimeline', { params });
  await play('exportCalls', { query: { status: 'completed' } });
  await play('replayCall', { params, body: {} });
  const placed = (await play('createCall', { body: { agent_id: agentId, to: '+4930901800', from: '+12025550199' } }))
    .data;
  await advance(play, 10_000);
  const live = { params: { id: String(placed['call_id']) } };
  await play('sayInCall', { ...live, body: { text: 'One moment please, I am looking that up.' } });
  await play('sendCallDigits', { ...live, body: { digits: '12#' } });
  await play('hangUpCall', live);
  await play('createCall', { body: { agent_id: agentId, to: '+4930901800', from: '+12025550199' } });
  await play('hangUpCalls', { body: { filter: { agent_id: agentId } } });
  await play('getAnalytics', { query: { from: '2026-03-02T00:00', to: '2026-03-03T00:00', by: 'campaign' } });
}

async function ownCampaign(play: Play, { agentId }: Demo): Promise<void> {
  const number = { phone: '+4930901820', name: 'Main line', termination_uri: 'sip.example.com' };
  const imported = (await play('importPhoneNumber', { body: number })).data;
  await play('getImportedPhoneNumber', { params: { id: imported.id } });
  await play('updatePhoneNumber', { params: { id: imported.id }, body: { max_concurrent: 20, max_cps: 2 } });
  await play('listPhoneNumbers');
  await play('listAvailablePhoneNumbers');
  await play('purchasePhoneNumber', { body: { phone: '+4930901822' } });
  await play('releasePhoneNumber', { params: { phone_number: '+4930901822' } });
  const schedule = { windowStart: '09:00', windowEnd: '17:00', timezone: 'Europe/Berlin', retryAttempts: 2 };
  const body = { name: 'Spring reminders', agentId, fromPhoneNumber: '+4930901820', schedule };
  await play('planNewCampaign', { body: { schedule, maxCps: 1, contacts: 200 } });
  const { id } = (await play('createCampaign', { body })).data;
  const contacts = [
    { phone: '+4930901802', first_name: 'Ada', timezone: 'Europe/Berlin' },
    { phone: '+4930901803', first_name: 'Alan', tags: ['vip'] },
    { phone: '+4930901850', first_name: 'Mary' },
  ];
  await play('addCampaignContacts', { params: { id }, body: { contacts } });
  const file = 'Vorname,Handy\nEdsger,030 901805\n';
  await play('importCampaignContacts', { params: { id }, query: { default_country: 'DE' }, body: file });
  const [first] = listOf(await play('listCampaignContacts', { params: { id } }));
  await play('explainContact', { params: { id: first!['contact_id']! } });
  await play('listContactCampaigns', { params: { id: first!['contact_id']! } });
  await play('updateCampaign', { params: { id }, body: { status: 'active' } });
  await play('removeCampaignContact', { params: { id, contact_id: first!['contact_id']! } });
  await play('removeCampaignContacts', { params: { id }, body: { status: ['pending'], tag: 'vip' } });
  await play('stopCalling', { body: { reason: 'Wrong prompt', hang_up: 'ringing' } });
  await play('resumeCalling');
  await play('updateCampaign', { params: { id }, body: { status: 'completed' } });
  await play('deleteCampaign', { params: { id } });
}

async function webhooks(play: Play, { agentId }: Demo): Promise<void> {
  await play('sendSampleEvent', { body: { type: 'call.completed', agent_id: agentId, outcome: 'voicemail' } });
  await advance(play, minuteMs);
  const [endpoint] = listOf(await play('listWebhookEndpoints'));
  const params = { id: endpoint!.id };
  await play('testWebhookEndpoint', { params });
  await advance(play, minuteMs);
  await play('pauseWebhookEndpoint', { params, body: { reason: 'Moving the receiver to another host' } });
  await play('resumeWebhookEndpoint', { params });
  await play('retryFailedWebhookDeliveries', { params, body: {} });
  await play('retryWebhookDeliveries', { body: { status: 'exhausted' } });
  await advance(play, minuteMs);
  const [delivery] = listOf(await play('listWebhookDeliveries', { query: { status: 'delivered' } }));
  await play('getWebhookDelivery', { params: { id: delivery!.id } });
  await play('retryWebhookDelivery', { params: { id: delivery!.id } });
  await play('getWebhookSecret', { params: { id: agentId } });
  await play('rotateWebhookSecret', { params: { id: agentId }, body: { overlap_seconds: 3600 } });
}

async function knowledge(play: Play, { orgId }: Demo): Promise<void> {
  const org = { org_id: orgId };
  const base = (await play('createKnowledgeBase', { body: { ...org, name: 'Help centre' } })).data;
  const id = String(base['knowledge_base_id']);
  const params = { kb_id: id };
  const texts = [{ title: 'Returns', text: 'What you bought may be returned within 30 days.' }];
  await play('addKnowledgeSources', { params, body: { knowledge_base_texts: texts } });
  const document = { kb_id: id, doc_id: 'hours', text: 'We are open from nine to five.' };
  await play('upsertKnowledgeDocument', { body: document });
  await advance(play, minuteMs);
  await play('queryKnowledgeBase', { params, body: { query: 'How long may I return what I bought?', limit: 1 } });
  await play('getKnowledgeBase', { params });
  await play('listKnowledgeBases', { query: org });
  const [, source] = listOf(await play('listKnowledgeSources', { params }));
  await play('updateKnowledgeBase', { params, body: { name: 'Help', enable_auto_refresh: false } });
  await play('getKnowledgeDocument', { query: { ...org, doc_id: 'hours' } });
  await play('listKnowledgeDocuments', { query: { ...org, kb_id: id } });
  await play('deleteKnowledgeDocument', { query: { ...org, doc_id: 'hours' } });
  await play('deleteKnowledgeSource', { params: { ...params, source_id: source!['source_id']! } });
  await play('deleteKnowledgeBase', { params });
}

async function agents(play: Play, { agentId }: Demo): Promise<void> {
  const [model] = listOf(await play('listModelsWithVoices')) as unknown as Array<{
    llmModel: string;
    voices: Array<{ id: string }>;
  }>;
  const body = { agentName: 'Robin', model: model!.llmModel, voiceId: model!.voices[0]!.id };
  const { id } = (await play('createAgent', { body: { ...body, firstMessage: 'Hello, this is Robin.' } })).data;
  const params = { agent_id: id };
  await play('updateAgent', {
    params,
    body: { firstMessage: 'Hello!', webhook_url: 'https://example.com/hooks/parley' },
  });
  await play('getAgent', { params });
  await play('listAgents');
  await play('listAgentEditions', { params });
  await play('getAgentEdition', { params: { ...params, edition: '1' } });
  await play('diffAgentEditions', { params: { ...params, edition: '2' } });
  await play('restoreAgentEdition', {
    params: { ...params, edition: '1' },
    body: { note: 'Back to the longer greeting' },
  });
  const talk = (await play('createConversation', { params: { id: agentId }, body: {} })).data;
  const ofTalk = { params: { id: agentId, cid: talk.id } };
  await play('createConversationTurn', { ...ofTalk, body: { text: 'What does it cost?' } });
  await play('getConversation', ofTalk);
  await play('deleteConversation', ofTalk);
  await play('deleteAgent', { params });
}

async function keys(play: Play): Promise<void> {
  await play('createAccessToken');
  const { id } = (await play('createApiKey', { body: { name: 'CI', role: 'member' } })).data;
  await play('listApiKeys');
  const rotated = (await play('rotateApiKey', { params: { id }, body: { overlap_seconds: 3600 } })).data;
  await play('revokeApiKey', { params: { id: rotated.id } });
  await play('createUser', { body: { email: 'grace@example.com', role: 'member' } });
  const [user] = listOf(await play('listUsers'));
  const params = { id: user!.id };
  await play('createUserLink', { params });
  await play('updateUser', { params, body: { role: 'viewer' } });
  await play('deleteUser', { params });
  await play('getOrganization');
  await play('updateOrganization', { body: { name: 'Analytical Engines', timezone: 'Europe/Berlin' } });
}

async function lists(play: Play): Promise<void> {
  const view = { page: 'calls', name: 'Goals missed', query: 'goals_met=false', shared: true };
  const { id } = (await play('createView', { body: view })).data;
  await play('listViews', { query: { page: 'calls' } });
  await play('updateView', { params: { id }, body: { name: 'Goals missed today' } });
  await play('deleteView', { params: { id } });
  await play('search', { query: { q: 'spring' } });
  await play('listNotices');
  await play('readNotices', { body: { all: true } });
  await play('listAuditLog', { query: { target_kind: 'campaign' } });
  await play('listAuditOperations');
}

async function ends(play: Play): Promise<void> {
  const { id } = (await play('createContact', { body: { phone: '+4930901890', first_name: 'Mary' } })).data;
  await play('getEverythingOfContact', { params: { id } });
  const erasure = (await play('eraseContact', { params: { id }, body: { keep_do_not_call: true } })).data;
  await advance(play, minuteMs);
  await play('getErasure', { params: { id: String(erasure['erasure_id']) } });
  const other = (await play('createContact', { body: { phone: '+4930901891' } })).data;
  await play('deleteContact', { params: { id: other.id } });
  await play('getTestClock');
}
