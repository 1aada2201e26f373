import type { Random } from '../crash/random.ts';

/**
 * What a run has come to know: ids of things by what they are ("agent", "phone number"), so that later requests reach them, and
 * the values that only some texts are.
 */
export type Pools = {
  remember(kind: string, id: string): void;
  known(kind: string): string | undefined;
  /** An organization's own id, telephone numbers, webhook URLs, provider keys, models and voices that there are. */
  orgId: string;
  phones: readonly string[];
  hookUrls: readonly string[];
  providerKeys: readonly string[];
  catalog: ReadonlyArray<{ model: string; voiceId: string }>;
  user: { email: string; password: string };
  /** A time at which the provider has nobody yet. */
  freeSlot(): string;
  /** The test clock, Unix milliseconds. */
  now(): number;
};

/** So few of a kind are remembered that requests meet in the same things. */
const mostOfAKind = 8;

export function createPools(random: Random, world: Omit<Pools, 'remember' | 'known'>): Pools {
  const byKind = new Map<string, string[]>();
  return {
    ...world,
    remember(kind, id) {
      const ids = byKind.get(kind) ?? [];
      if (ids.includes(id)) return;
      if (ids.length < mostOfAKind) ids.push(id);
      else ids[random.between(0, mostOfAKind - 1)] = id;
      byKind.set(kind, ids);
    },
    known(kind) {
      const ids = byKind.get(kind);
      return ids && random.pick(ids);
    },
  };
}

type Made = Record<string, unknown>;

const number = [
  ['id', 'phone number'],
  ['phone', 'own phone'],
] as const;

/** What the answers of which operation make known; a path of fields leads through lists. */
const kinds: Readonly<Record<string, ReadonlyArray<readonly [field: string, kind: string]>>> = {
  createAgent: [['id', 'agent']],
  listAgents: [['id', 'agent']],
  createKnowledgeBase: [['knowledge_base_id', 'knowledge base']],
  listKnowledgeBases: [['id', 'knowledge base']],
  upsertKnowledgeDocument: [['doc_id', 'document']],
  listKnowledgeDocuments: [['doc_id', 'document']],
  getKnowledgeBase: [['knowledge_base_sources.source_id', 'source']],
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
  listWebhookEndpoints: [['id', 'webhook endpoint']],
  listWebhookDeliveries: [
    ['id', 'webhook delivery'],
    ['event_id', 'event'],
  ],
};

/** Keeps the ids that an answer brings. */
export function harvest(pools: Pools, operationId: string, data: unknown): void {
  for (const item of [data].flat() as Made[]) {
    for (const [field, kind] of kinds[operationId] ?? []) {
      for (const id of valuesAt(item, field)) if (typeof id === 'string') pools.remember(kind, id);
    }
  }
}

const valuesAt = (item: unknown, path: string): unknown[] =>
  path
    .split('.')
    .reduce<unknown[]>((values, name) => values.flatMap((value) => (value as Made | null)?.[name]), [item]);
