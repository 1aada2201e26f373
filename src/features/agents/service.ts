import { type Fault, invalid, notFound } from '../../base/errors.ts';
import { webhookPolicy } from '../../base/outbound/policies.ts';
import { type Queryable, transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import { findModel } from '../catalog/service.ts';
import * as endpoints from '../endpoints/service.ts';
import { existingBases } from '../knowledge/bases/service.ts';
import type { Actor } from '../requests/audit.ts';
import { raiseVersion } from '../requests/changes.ts';
import { type Agent, agentDefaults, type AgentSettings, type CountedStatus, webhookEventNames } from './agent.ts';
import { changedFields, editionSettingsOf } from './editions/edition.ts';
import * as editions from './editions/store.ts';
import { agentActivated, agentDeactivated } from './events.ts';
import * as store from './store.ts';
import { urlsToSave, webhookFaults, type WebhookSettings } from './webhook-settings.ts';

export type AgentChanges = Partial<AgentSettings> & WebhookSettings & { edition_note?: string | null };
/** Who makes an edition, and their note on it. */
export type EditionOrigin = { actor: Actor | null; note: string | null };
export type NewAgent = Pick<AgentSettings, 'agentName' | 'model' | 'voiceId'> & AgentChanges;

export type AgentWithUrls = Agent & { webhookUrls: string[] };

/** @throws notFound when the organization has no such agent; the error does not reveal whether another organization has it */
export async function agentOf(db: Queryable, orgId: string, id: string): Promise<Agent> {
  const agent = await store.agentById(db, orgId, id);
  if (!agent) throw notFound('agent');
  return agent;
}

export const findAgent = (db: Queryable, orgId: string, id: string): Promise<Agent | undefined> =>
  store.agentById(db, orgId, id);

/** @throws notFound when the organization has no such agent */
export const getAgent = async (db: Queryable, orgId: string, id: string): Promise<AgentWithUrls> =>
  withUrls(db, await agentOf(db, orgId, id));

/** A page of agents, newest first; with `name`, only those whose name contains this folded text. */
/** The organization that has an agent; for the operator, who may see all. */
export const organizationOfAgent = (db: Queryable, id: string): Promise<string | undefined> =>
  store.organizationOfAgent(db, id);

export async function listAgents(
  app: App,
  orgId: string,
  name: string | undefined,
  page: Page,
): Promise<Paged<AgentWithUrls>> {
  const { items, ...meta } = await store.agentsPage(app.db, orgId, name, page);
  const urls = await endpoints.urlsByAgent(
    app.db,
    items.map(({ id }) => id),
  );
  return { items: items.map((agent) => ({ ...agent, webhookUrls: urls.get(agent.id) ?? [] })), ...meta };
}

/** The agent with its webhook URLs. */
export async function withUrls(db: Queryable, agent: Agent): Promise<AgentWithUrls> {
  const urls = await endpoints.urlsByAgent(db, [agent.id]);
  return { ...agent, webhookUrls: urls.get(agent.id) ?? [] };
}

/** @throws invalid with all faults that the schema cannot find: of webhooks, model, voice and knowledge bases */
export function createAgent(
  app: App,
  orgId: string,
  input: NewAgent,
  actor: Actor | null = null,
): Promise<AgentWithUrls> {
  return transact(app.db, orgId, async (tx) => {
    const faults = await agentFaults(app, tx, orgId, input);
    if (faults.length > 0) throw invalid(faults);
    const now = app.clock.now();
    const agent: Agent = {
      ...agentDefaults,
      ...settingsOf(input),
      webhookEvents: [...(input.webhook_events ?? webhookEventNames)],
      id: app.ids.make(),
      orgId,
      callStats: { total: 0, completed: 0, failed: 0, noAnswer: 0, busy: 0, voicemail: 0 },
      version: 1,
      edition: 1,
      createdAt: now,
      updatedAt: now,
    };
    await store.insertAgent(tx, agent);
    const first = { edition: 1, at: now, by: actor, note: input.edition_note ?? null, fields: [] };
    await editions.insertEdition(tx, agent.id, first, editionSettingsOf(agent));
    await saveUrls(app, tx, agent, input);
    return withUrls(tx, agent);
  });
}

/**
 * Changes only the provided fields.
 * @throws invalid with the same faults as createAgent; otherwise notFound when the organization has no such agent
 */
export function updateAgent(
  app: App,
  orgId: string,
  id: string,
  changes: AgentChanges,
  actor: Actor | null = null,
): Promise<AgentWithUrls> {
  return transact(app.db, orgId, async (tx) => {
    const before = await store.agentById(tx, orgId, id);
    const faults = await agentFaults(app, tx, orgId, changes, before);
    if (faults.length > 0) throw invalid(faults);
    if (!before) throw notFound('agent');
    const after: Agent = {
      ...before,
      ...settingsOf(changes),
      webhookEvents: changes.webhook_events === undefined ? before.webhookEvents : [...changes.webhook_events],
      updatedAt: app.clock.now(),
    };
    const agent = await saveAgent(app, tx, before, after, { actor, note: changes.edition_note ?? null });
    await saveUrls(app, tx, agent, changes);
    if (before.status !== agent.status) {
      const changed = agent.status === 'ACTIVE' ? agentActivated : agentDeactivated;
      await app.events.emit(app, tx, changed, { orgId, agentId: id });
    }
    return withUrls(tx, agent);
  });
}

/** Stores the changed settings of an agent, and the edition that they make. */
export async function saveAgent(
  app: App,
  tx: Tx,
  before: Agent,
  after: Agent,
  { actor, note }: EditionOrigin,
): Promise<AgentWithUrls> {
  const settings = editionSettingsOf(after);
  const fields = changedFields(editionSettingsOf(before), settings);
  const agent = fields.length === 0 ? after : { ...after, edition: before.edition + 1 };
  await store.updateAgent(tx, agent);
  const { edition } = agent;
  if (fields.length > 0)
    await editions.insertEdition(tx, agent.id, { edition, at: app.clock.now(), by: actor, note, fields }, settings);
  return withUrls(tx, agent);
}

/** Removes a deleted knowledge base from its agents, which otherwise could not be saved again. */
export async function forgetKnowledgeBase(app: App, tx: Tx, orgId: string, baseId: string): Promise<void> {
  for (const before of await store.agentsWithKnowledgeBase(tx, orgId, baseId)) {
    const knowledgeBaseIds = before.knowledgeBaseIds.filter((id) => id !== baseId);
    await saveAgent(app, tx, before, { ...before, knowledgeBaseIds }, { actor: null, note: null });
    await raiseVersion(tx, 'agents', before.id);
  }
}

async function saveUrls(app: App, tx: Tx, { id, orgId }: Agent, settings: WebhookSettings): Promise<void> {
  const urls = urlsToSave(settings);
  if (urls !== undefined) await endpoints.saveUrls(app, tx, { orgId, agentId: id }, urls);
}

/** Counts an ended call for its agent. Call it in the transaction that ends the call. Does nothing for a deleted agent. */
export async function countCall(
  tx: Tx,
  { agentId, agentEdition }: { agentId: string; agentEdition: number | null },
  status: CountedStatus,
): Promise<void> {
  await store.countCall(tx, agentId, status);
  if (agentEdition !== null) await editions.countEditionCall(tx, agentId, agentEdition);
}

/** The settings of a body: its fields except those for webhooks and editions. */
function settingsOf<T extends AgentChanges>(input: T): Omit<T, keyof WebhookSettings | 'edition_note'> {
  const { webhook_url: _url, webhook_urls: _urls, webhook_events: _events, edition_note: _note, ...settings } = input;
  return settings;
}

/** Faults that the schema cannot find: of webhooks, model, voice and knowledge bases. */
export async function agentFaults(
  app: App,
  db: Queryable,
  orgId: string,
  input: AgentChanges,
  before?: Agent,
): Promise<Fault[]> {
  return [
    ...(await modelFaults(db, input, before)),
    ...(await baseFaults(db, orgId, input.knowledgeBaseIds ?? [])),
    ...webhookFaults(input, webhookPolicy(app.config)),
  ];
}

async function baseFaults(db: Queryable, orgId: string, ids: readonly string[]): Promise<Fault[]> {
  const existing = await existingBases(db, orgId, ids);
  return ids.flatMap((id, index) =>
    existing.has(id) ? [] : [{ path: `knowledgeBaseIds[${index}]`, message: 'no such knowledge base' }],
  );
}

/** Validates only what changes: an agent keeps working with a model that became inactive, or a voice that the model lost. */
async function modelFaults(db: Queryable, input: AgentChanges, before: Agent | undefined): Promise<Fault[]> {
  const name = input.model ?? before?.model;
  const voiceId = input.voiceId ?? before?.voiceId;
  const isNewModel = name !== before?.model;
  if (name === undefined || (!isNewModel && voiceId === before?.voiceId)) return [];
  const model = await findModel(db, name);
  if (!model) return [{ path: 'model', message: 'no such model; see GET /api/v1/available-llm-models/with-voices' }];
  const faults: Fault[] = [];
  if (isNewModel && !model.isActive) {
    faults.push({
      path: 'model',
      message: `${name} is inactive and cannot be chosen any more; see GET /api/v1/available-llm-models/with-voices for active ones`,
    });
  }
  if (voiceId !== undefined && !model.voices.some((voice) => voice.id === voiceId)) {
    faults.push({ path: 'voiceId', message: `is not a voice of the model ${name}` });
  }
  return faults;
}
