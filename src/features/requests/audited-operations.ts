/** What an audited operation does to its thing. `read`: it hands out what should not be handed out unnoticed. */
export const verbs = ['create', 'update', 'delete', 'start', 'stop', 'read'] as const;
export type Verb = (typeof verbs)[number];

/** The kinds of things whose history the audit log can show. */
export const targetKinds = [
  'agent',
  'campaign',
  'contact',
  'number',
  'knowledge_base',
  'user',
  'api_key',
  'organization',
  'webhook_endpoint',
] as const;
export type TargetKind = (typeof targetKinds)[number];

/** The kinds whose history members may read; that of the others is for admins. */
export const memberKinds: readonly TargetKind[] = ['agent', 'campaign', 'contact', 'number', 'knowledge_base'];

export type AuditedOperation = { verb: Verb; kind: TargetKind | null };

const rows: Readonly<Record<string, readonly [Verb, TargetKind | null]>> = {
  updateOrganization: ['update', 'organization'],
  createApiKey: ['create', 'api_key'],
  revokeApiKey: ['delete', 'api_key'],
  rotateApiKey: ['update', 'api_key'],
  logIn: ['create', null],
  setUp: ['update', 'user'],
  deleteSession: ['delete', null],
  endSession: ['delete', null],
  changePassword: ['update', 'user'],
  createUser: ['create', 'user'],
  updateUser: ['update', 'user'],
  deleteUser: ['delete', 'user'],
  createUserLink: ['update', 'user'],
  createKnowledgeBase: ['create', 'knowledge_base'],
  updateKnowledgeBase: ['update', 'knowledge_base'],
  deleteKnowledgeBase: ['delete', 'knowledge_base'],
  addKnowledgeSources: ['update', 'knowledge_base'],
  refreshKnowledgeSource: ['update', 'knowledge_base'],
  deleteKnowledgeSource: ['update', 'knowledge_base'],
  upsertKnowledgeDocument: ['update', 'knowledge_base'],
  deleteKnowledgeDocument: ['update', 'knowledge_base'],
  createAgent: ['create', 'agent'],
  updateAgent: ['update', 'agent'],
  deleteAgent: ['delete', 'agent'],
  restoreAgentEdition: ['update', 'agent'],
  rotateWebhookSecret: ['update', 'agent'],
  createTestCall: ['start', 'agent'],
  createContact: ['create', 'contact'],
  updateContact: ['update', 'contact'],
  deleteContact: ['delete', 'contact'],
  optOutContact: ['update', 'contact'],
  liftContactOptOut: ['update', 'contact'],
  importContacts: ['create', null],
  createContactNote: ['update', 'contact'],
  deleteContactNote: ['update', 'contact'],
  addDoNotCall: ['create', null],
  importDoNotCall: ['create', null],
  removeDoNotCall: ['delete', null],
  importPhoneNumber: ['create', 'number'],
  updatePhoneNumber: ['update', 'number'],
  purchasePhoneNumber: ['create', 'number'],
  releasePhoneNumber: ['delete', 'number'],
  createCall: ['start', null],
  hangUpCalls: ['stop', null],
  hangUpCall: ['stop', null],
  sendCallDigits: ['update', null],
  sayInCall: ['update', null],
  transferCall: ['update', null],
  getCallRecording: ['read', null],
  deleteCallRecording: ['delete', null],
  stopCalling: ['stop', 'organization'],
  resumeCalling: ['start', 'organization'],
  createCampaign: ['create', 'campaign'],
  updateCampaign: ['update', 'campaign'],
  deleteCampaign: ['delete', 'campaign'],
  redialCampaign: ['create', 'campaign'],
  addCampaignContacts: ['update', 'campaign'],
  importCampaignContacts: ['update', 'campaign'],
  removeCampaignContacts: ['update', 'campaign'],
  removeCampaignContact: ['update', 'campaign'],
  connectCalendar: ['create', null],
  disconnectCalendar: ['delete', null],
  createCalendarBooking: ['create', null],
  resumeWebhookEndpoint: ['start', 'webhook_endpoint'],
  pauseWebhookEndpoint: ['stop', 'webhook_endpoint'],
  testWebhookEndpoint: ['update', 'webhook_endpoint'],
  retryFailedWebhookDeliveries: ['update', 'webhook_endpoint'],
  sendSampleEvent: ['start', 'agent'],
  retryWebhookDeliveries: ['start', null],
  retryWebhookDelivery: ['start', null],
  readNotices: ['update', null],
};

/** The operator's commands and what else has no route that every server describes. */
const commands: Readonly<Record<string, readonly [Verb, TargetKind | null, title: string]>> = {
  'orgs.create': ['create', 'organization', 'Create an organization, on the command line'],
  'keys.create': ['create', 'api_key', 'Create an API key, on the command line'],
  'keys.revoke': ['delete', 'api_key', 'Revoke an API key, on the command line'],
  'users.create': ['create', 'user', 'Create a person, on the command line'],
  'users.role': ['update', 'user', "Change a person's role, on the command line"],
  'users.remove': ['delete', 'user', 'Remove a person, on the command line'],
  'users.link': ['update', 'user', 'Make a link for a password, on the command line'],
  'users.unlock': ['update', 'user', 'Lift a lock-out, on the command line'],
  'users.setup_link': ['create', null, 'Make a set-up link, on the command line'],
  'restore.pauseCampaign': ['stop', 'campaign', 'Pause a campaign after a restore'],
  advanceTestClock: ['update', null, 'Advance the test clock'],
};

/** What an operation does; undefined for refusals and failed log-ins, which did nothing. */
export function auditedOperation(operation: string): AuditedOperation | undefined {
  const row = Object.hasOwn(rows, operation) ? rows[operation] : undefined;
  const [verb, kind] = row ?? (Object.hasOwn(commands, operation) ? commands[operation]! : []);
  return verb === undefined ? undefined : { verb, kind: kind ?? null };
}

/** All operations that the audit log can have entries of. `titleOf` finds those of the interface's. */
export const auditedOperations = (titleOf: (operation: string) => string | undefined) => [
  ...Object.entries(rows).map(([operation, [verb, kind]]) => ({
    operation,
    verb,
    kind,
    title: titleOf(operation) ?? operation,
  })),
  ...Object.entries(commands).map(([operation, [verb, kind, title]]) => ({ operation, verb, kind, title })),
];

/** The names under which a target has the id of its thing, the first that is there. */
const idNames: Readonly<Record<TargetKind, readonly string[]>> = {
  agent: ['agent_id', 'id'],
  campaign: ['id', 'campaign_id'],
  contact: ['id', 'contact_id'],
  number: ['id'],
  knowledge_base: ['kb_id', 'knowledge_base_id'],
  user: ['id'],
  api_key: ['id'],
  organization: [],
  webhook_endpoint: ['id'],
};

/** The id of the thing that an entry is about; null if the entry names none. */
export function targetIdOf(kind: TargetKind | null, target: Readonly<Record<string, string>>, orgId: string) {
  if (kind === null) return null;
  if (kind === 'organization') return orgId;
  const name = idNames[kind].find((each) => target[each] !== undefined);
  return name === undefined ? null : target[name]!;
}
