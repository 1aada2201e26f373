import type { Random } from '../crash/random.ts';

/**
 * Values that a fuzz run has collected: ids by kind of resource ("agent", "phone number"), so that later requests reach existing
 * resources, and values that cannot be generated from a schema.
 */
export type Pools = {
  remember(kind: string, id: string): void;
  /** A random id that was collected for this kind of resource; undefined if there is none. */
  pick(kind: string): string | undefined;
  orgId: string;
  phones: readonly string[];
  hookUrls: readonly string[];
  providerKeys: readonly string[];
  catalog: ReadonlyArray<{ model: string; voiceId: string }>;
  /** Makes a slot free at the calendar provider, and returns its start. */
  freeSlot(): string;
  /** Time of the test clock in Unix milliseconds. */
  now(): number;
};

/** Small, so that several requests work on the same resource. */
const maxIdsPerKind = 8;

export function createPools(random: Random, world: Omit<Pools, 'remember' | 'pick'>): Pools {
  const byKind = new Map<string, string[]>();
  return {
    ...world,
    remember(kind, id) {
      const ids = byKind.get(kind) ?? [];
      if (ids.includes(id)) return;
      if (ids.length < maxIdsPerKind) ids.push(id);
      else ids[random.between(0, maxIdsPerKind - 1)] = id;
      byKind.set(kind, ids);
    },
    pick(kind) {
      const ids = byKind.get(kind);
      return ids && random.pick(ids);
    },
  };
}

type Item = Record<string, unknown>;

const number = [
  ['id', 'phone number'],
  ['phone', 'own phone'],
] as const;

/** Ids to collect from the answers of each operation: the path of the field (through lists as well) and the kind of resource. */
const kinds: Readonly<Record<string, ReadonlyArray<readonly [field: string, kind: string]>>> = {
  createAgent: [['id', 'agent']],
  listAgents: [['id', 'agent']],
  createKnowledgeBase: [['knowledge_base_id', 'knowledge base']],
  listKnowledgeBases: [['id', 'knowledge base']],
  upsertKnowledgeDocument: [['doc_id', 'document']],
  listKnowledgeDocuments: [['doc_id', 'document']],
  getKnowledgeBase: [['knowledge_base_sources.source_id', 'source']],
  listKnowledgeSources: [['source_id', 'source']],
  addKnowledgeSources: [['knowledge_base.knowledge_base_sources.source_id', 'source']],
  createContact: [['id', 'contact']],
  listContacts: [['id', 'contact']],
  createContactNote: [['id', 'note']],
  createCampaign: [['id', 'campaign']],
  listCampaigns: [['id', 'campaign']],
  listCampaignContacts: [['contact_id', 'contact']],
  importPhoneNumber: number,
  purchasePhoneNumber: number,
  listPhoneNumbers: number,
  createCall: [['call_id', 'call']],
  listCalls: [['call_id', 'call']],
  connectCalendar: [['provider_id', 'calendar account']],
  createApiKey: [['id', 'API key']],
  createUser: [['id', 'user']],
  listUsers: [['id', 'user']],
  listSessions: [['id', 'session']],
  listWebhookEndpoints: [['id', 'webhook endpoint']],
  listWebhookDeliveries: [
    ['id', 'webhook delivery'],
    ['event_id', 'event'],
  ],
};

/** Adds the ids in an answer to the pools. `path` is that of the request. */
export function collectIds(pools: Pools, operationId: string, data: unknown, path = ''): void {
  for (const item of [data ?? []].flat() as Item[]) {
    if (operationId === 'createUser' || operationId === 'createUserLink') rememberLink(pools, item);
    if (item['executionStatus'] === 'completed') pools.remember('completed campaign', String(item['id']));
    if (operationId === 'createContactNote')
      rememberPair(pools, 'note', /contacts\/([^/]+)/.exec(path)?.[1], item['id']);
    for (const source of valuesAt(item, 'knowledge_base_sources.source_id')) {
      rememberPair(pools, 'source', item['knowledge_base_id'], source);
    }
    for (const [field, kind] of kinds[operationId] ?? []) {
      for (const id of valuesAt(item, field)) if (typeof id === 'string') pools.remember(kind, id);
    }
  }
}

/** A note is found only under its contact, a source only under its knowledge base. */
function rememberPair(pools: Pools, kind: string, parent: unknown, id: unknown): void {
  if (typeof parent === 'string' && typeof id === 'string') pools.remember(`${kind} of its parent`, `${parent} ${id}`);
}

/** An invitation is taken by its token together with the e-mail address. */
function rememberLink(pools: Pools, { email, link }: Item): void {
  const token = typeof link === 'string' ? URL.parse(link)?.searchParams.get('token') : undefined;
  if (token) pools.remember('invitation', `${token} ${String(email)}`);
}

const valuesAt = (item: unknown, path: string): unknown[] =>
  path
    .split('.')
    .reduce<unknown[]>((values, name) => values.flatMap((value) => (value as Item | null)?.[name]), [item]);
