import { type Fault, invalid, notFound } from '../../base/errors.ts';
import { webhookPolicy } from '../../base/outbound/policies.ts';
import { type Queryable, transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import { findModel } from '../catalog/service.ts';
import { existingBases } from '../knowledge/bases/service.ts';
import { type Agent, agentDefaults, type AgentSettings, type CountedStatus, webhookEventNames } from './agent.ts';
import { agentActivated, agentDeleting, agentWebhooksSaved } from './events.ts';
import * as store from './store.ts';
import { savesWebhookUrls, webhookFaults, type WebhookSettings, withWebhooks } from './webhook-settings.ts';

export type AgentChanges = Partial<AgentSettings> & WebhookSettings;
export type NewAgent = Pick<AgentSettings, 'agentName' | 'model' | 'voiceId'> & AgentChanges;

/** @throws notFound, the same for another organization's agent */
export async function agentOf(db: Queryable, orgId: string, id: string): Promise<Agent> {
  const agent = await store.agentById(db, orgId, id);
  if (!agent) throw notFound('agent');
  return agent;
}

export const findAgent = (db: Queryable, orgId: string, id: string): Promise<Agent | undefined> =>
  store.agentById(db, orgId, id);

export const listAgents = (app: App, orgId: string, page: Page): Promise<Paged<Agent>> =>
  store.agentsPage(app.db, orgId, page);

/** @throws invalid with every fault of webhooks, model, voice and knowledge bases */
export function createAgent(app: App, orgId: string, input: NewAgent): Promise<Agent> {
  return transact(app.db, orgId, async (tx) => {
    const faults = await agentFaults(app, tx, orgId, input);
    if (faults.length > 0) throw invalid(faults);
    const now = app.clock.now();
    const agent: Agent = {
      ...agentDefaults,
      ...settingsOf(input),
      ...withWebhooks({ webhookUrls: [], webhookEvents: [...webhookEventNames] }, input),
      id: app.ids.make(),
      orgId,
      callStats: { total: 0, completed: 0, failed: 0, noAnswer: 0, busy: 0, voicemail: 0 },
      createdAt: now,
      updatedAt: now,
    };
    await store.insertAgent(tx, agent);
    if (agent.webhookUrls.length > 0) await tellWebhooksSaved(app, tx, agent);
    return agent;
  });
}

/**
 * Changes the fields given and leaves the rest (contract, section 4).
 * @throws invalid as in createAgent, notFound
 */
export function updateAgent(app: App, orgId: string, id: string, changes: AgentChanges): Promise<Agent> {
  return transact(app.db, orgId, async (tx) => {
    const before = await store.agentById(tx, orgId, id);
    const faults = await agentFaults(app, tx, orgId, changes, before);
    if (faults.length > 0) throw invalid(faults);
    if (!before) throw notFound('agent');
    const agent: Agent = {
      ...before,
      ...settingsOf(changes),
      ...withWebhooks(before, changes),
      updatedAt: app.clock.now(),
    };
    await store.updateAgent(tx, agent);
    if (savesWebhookUrls(changes)) await tellWebhooksSaved(app, tx, agent);
    if (before.status === 'INACTIVE' && agent.status === 'ACTIVE') {
      await app.events.emit(app, tx, agentActivated, { orgId, agentId: id });
    }
    return agent;
  });
}

/**
 * Deletes an agent; its past calls stay.
 * @throws notFound, or the conflict of whoever still needs it (a running campaign)
 */
export function deleteAgent(app: App, orgId: string, id: string): Promise<void> {
  return transact(app.db, orgId, async (tx) => {
    await agentOf(tx, orgId, id);
    await app.events.emit(app, tx, agentDeleting, { orgId, agentId: id });
    await store.deleteAgent(tx, id);
  });
}

/** Counts an ended call in the transaction that ends it; an agent that is gone counts nothing. */
export const countCall = (tx: Tx, agentId: string, status: CountedStatus): Promise<void> =>
  store.countCall(tx, agentId, status);

/** The settings of a body without its webhook fields. */
function settingsOf<T extends AgentChanges>(input: T): Omit<T, keyof WebhookSettings> {
  const { webhook_url: _url, webhook_urls: _urls, webhook_events: _events, ...settings } = input;
  return settings;
}

const tellWebhooksSaved = (app: App, tx: Tx, agent: Agent): Promise<void> =>
  app.events.emit(app, tx, agentWebhooksSaved, { orgId: agent.orgId, agentId: agent.id, urls: agent.webhookUrls });

/** What is wrong with the fields given, beyond their form: webhooks, model, voice and knowledge bases. */
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
  const known = await existingBases(db, orgId, ids);
  return ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `knowledgeBaseIds[${index}]`, message: 'no such knowledge base' }],
  );
}

/** A model that the agent has already may be inactive, and its voice gone from it: only what changes is judged. */
async function modelFaults(db: Queryable, input: AgentChanges, before: Agent | undefined): Promise<Fault[]> {
  const name = input.model ?? before?.model;
  const voiceId = input.voiceId ?? before?.voiceId;
  const isNewModel = name !== before?.model;
  if (name === undefined || (!isNewModel && voiceId === before?.voiceId)) return [];
  const model = await findModel(db, name);
  if (!model) return [{ path: 'model', message: 'no such model; see GET /api/v1/available-llm-models/with-voices' }];
  const faults: Fault[] = [];
  if (isNewModel && !model.isActive) {
    faults.push({ path: 'model', message: `${name} is inactive; it is not offered for new agents` });
  }
  if (voiceId !== undefined && !model.voices.some((voice) => voice.id === voiceId)) {
    faults.push({ path: 'voiceId', message: `is not a voice of the model ${name}` });
  }
  return faults;
}
