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

const rows: Readonly<Record<string, readonly [Verb, TargetKind | null, title: string]>> = {
  updateOrganization: ['update', 'organization', 'Change the organization'],
  createApiKey: ['create', 'api_key', 'Create an API key'],
  revokeApiKey: ['delete', 'api_key', 'Revoke an API key'],
  rotateApiKey: ['update', 'api_key', 'Rotate an API key'],
  logIn: ['create', null, 'Log in'],
  setUp: ['update', 'user', 'Set up with a link'],
  deleteSession: ['delete', null, 'Log out'],
  endSession: ['delete', null, 'End a session'],
  changePassword: ['update', 'user', 'Change the password'],
  createUser: ['create', 'user', 'Invite a person'],
  updateUser: ['update', 'user', 'Change a person'],
  deleteUser: ['delete', 'user', 'Remove a person'],
  createUserLink: ['update', 'user', 'Make a link for a person'],
  createKnowledgeBase: ['create', 'knowledge_base', 'Create a knowledge base'],
  updateKnowledgeBase: ['update', 'knowledge_base', 'Change a knowledge base'],
  deleteKnowledgeBase: ['delete', 'knowledge_base', 'Delete a knowledge base'],
  addKnowledgeSources: ['update', 'knowledge_base', 'Add sources to a knowledge base'],
  refreshKnowledgeSource: ['update', 'knowledge_base', 'Read a source again'],
  deleteKnowledgeSource: ['update', 'knowledge_base', 'Delete a source'],
  upsertKnowledgeDocument: ['update', 'knowledge_base', 'Save a document'],
  deleteKnowledgeDocument: ['update', 'knowledge_base', 'Delete a document'],
  createAgent: ['create', 'agent', 'Create an agent'],
  updateAgent: ['update', 'agent', 'Change an agent'],
  deleteAgent: ['delete', 'agent', 'Delete an agent'],
  restoreAgentEdition: ['update', 'agent', 'Restore a version of an agent'],
  rotateWebhookSecret: ['update', 'agent', 'Rotate the webhook secret of an agent'],
  createTestCall: ['start', 'agent', 'Begin a test call'],
  createConversation: ['start', 'agent', 'Begin a conversation by text'],
  deleteConversation: ['stop', 'agent', 'End a conversation by text'],
  replayCall: ['start', 'agent', 'Replay a call'],
  createView: ['create', null, 'Save a view'],
  updateView: ['update', null, 'Change a saved view'],
  deleteView: ['delete', null, 'Delete a saved view'],
  createContact: ['create', 'contact', 'Create a contact'],
  updateContact: ['update', 'contact', 'Change a contact'],
  deleteContact: ['delete', 'contact', 'Delete a contact'],
  eraseContact: ['delete', 'contact', 'Erase a person'],
  getEverythingOfContact: ['read', 'contact', 'Read everything of a person'],
  optOutContact: ['update', 'contact', 'Opt a contact out of calls'],
  liftContactOptOut: ['update', 'contact', 'Lift the opt-out of a contact'],
  importContacts: ['create', null, 'Import contacts'],
  createContactNote: ['update', 'contact', 'Add a note to a contact'],
  deleteContactNote: ['update', 'contact', 'Delete a note of a contact'],
  addDoNotCall: ['create', null, 'Add to the do-not-call list'],
  importDoNotCall: ['create', null, 'Import into the do-not-call list'],
  removeDoNotCall: ['delete', null, 'Remove from the do-not-call list'],
  importPhoneNumber: ['create', 'number', 'Import a phone number'],
  updatePhoneNumber: ['update', 'number', 'Change a phone number'],
  purchasePhoneNumber: ['create', 'number', 'Buy a phone number'],
  releasePhoneNumber: ['delete', 'number', 'Release a phone number'],
  createCall: ['start', null, 'Place a call'],
  hangUpCalls: ['stop', null, 'Hang up calls'],
  hangUpCall: ['stop', null, 'Hang up a call'],
  sendCallDigits: ['update', null, 'Press keys in a call'],
  sayInCall: ['update', null, 'Say a text in a call'],
  transferCall: ['update', null, 'Transfer a call'],
  exportCalls: ['read', null, 'Export calls'],
  getCallRecording: ['read', null, 'Hear a recording'],
  deleteCallRecording: ['delete', null, 'Delete a recording'],
  stopCalling: ['stop', 'organization', 'Stop all calling'],
  resumeCalling: ['start', 'organization', 'Resume calling'],
  createCampaign: ['create', 'campaign', 'Create a campaign'],
  updateCampaign: ['update', 'campaign', 'Change a campaign'],
  deleteCampaign: ['delete', 'campaign', 'Delete a campaign'],
  redialCampaign: ['create', 'campaign', 'Redial the unreached of a campaign'],
  addCampaignContacts: ['update', 'campaign', 'Add contacts to a campaign'],
  importCampaignContacts: ['update', 'campaign', 'Import contacts into a campaign'],
  removeCampaignContacts: ['update', 'campaign', 'Remove contacts from a campaign'],
  removeCampaignContact: ['update', 'campaign', 'Remove a contact from a campaign'],
  connectCalendar: ['create', null, 'Connect a calendar'],
  disconnectCalendar: ['delete', null, 'Disconnect calendars'],
  createCalendarBooking: ['create', null, 'Book a slot'],
  resumeWebhookEndpoint: ['start', 'webhook_endpoint', 'Resume a webhook URL'],
  pauseWebhookEndpoint: ['stop', 'webhook_endpoint', 'Pause a webhook URL'],
  testWebhookEndpoint: ['update', 'webhook_endpoint', 'Test a webhook URL'],
  retryFailedWebhookDeliveries: ['update', 'webhook_endpoint', 'Send failed deliveries of a webhook URL again'],
  sendSampleEvent: ['start', 'agent', 'Send a sample event'],
  retryWebhookDeliveries: ['start', null, 'Send deliveries again'],
  retryWebhookDelivery: ['start', null, 'Send a delivery again'],
  readNotices: ['update', null, 'Mark notices as read'],
  // The operator's commands
  'orgs.create': ['create', 'organization', 'Create an organization, on the command line'],
  'keys.create': ['create', 'api_key', 'Create an API key, on the command line'],
  'keys.revoke': ['delete', 'api_key', 'Revoke an API key, on the command line'],
  'users.create': ['create', 'user', 'Create a person, on the command line'],
  'users.role': ['update', 'user', "Change a person's role, on the command line"],
  'users.remove': ['delete', 'user', 'Remove a person, on the command line'],
  'users.link': ['update', 'user', 'Make a link for a password, on the command line'],
  'users.unlock': ['update', 'user', 'Lift a lock-out, on the command line'],
  'users.setup_link': ['create', null, 'Make a set-up link, on the command line'],
  'events.listen': ['read', null, 'Listen to events, on the command line'],
  'events.send': ['start', 'agent', 'Send a sample event, on the command line'],
  'contacts.retention': ['delete', null, 'Delete contacts whose time is over'],
  'restore.pauseCampaign': ['stop', 'campaign', 'Pause a campaign after a restore'],
  advanceTestClock: ['update', null, 'Advance the test clock'],
};

/** What an operation does; undefined for refusals and failed log-ins, which did nothing. */
export function auditedOperation(operation: string): AuditedOperation | undefined {
  if (!Object.hasOwn(rows, operation)) return undefined;
  const [verb, kind] = rows[operation]!;
  return { verb, kind };
}

/** All operations that the audit log can have entries of. */
export const auditedOperations = Object.entries(rows).map(([operation, [verb, kind, title]]) => ({
  operation,
  verb,
  kind,
  title,
}));

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
