import { AppError, conflict, invalid, notFound } from '../../../base/errors.ts';
import { createRateBudget } from '../../../base/fair/rate-budget.ts';
import { emptyObject, type JsonObject } from '../../../base/json.ts';
import { onCommit, transact } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { nodeState } from '../../../kernel/node.ts';
import type { Agent, AgentSettings } from '../../agents/agent.ts';
import { editionOf } from '../../agents/editions/service.ts';
import { agentFaults, findAgent } from '../../agents/service.ts';
import { findContact } from '../../contacts/service.ts';
import { filledIn, valuesFor } from '../carriers/thread/texts.ts';
import { getCall } from '../service.ts';
import { toolsOf } from '../tools/tool.ts';
import type { AnswerEvents, Conversation, Turn } from './conversation.ts';
import { engineFor } from './engines.ts';
import { standInCall } from './stand-in.ts';

const maxLive = 20;
const maxTurns = 50;
const idleMs = 30 * 60_000;
const maxReplayed = 30;

/** A person may send two texts a second, and a few more at once. */
const rate = { perSecond: 2, burst: 10 };

const conversations = nodeState('conversations', () => ({
  byId: new Map<string, Conversation>(),
  budget: createRateBudget(rate),
}));

export type Settings = Partial<AgentSettings>;
export type NewConversation = { contactId?: string; metadata?: JsonObject; settings?: Settings; edition?: number };

export const expiryOf = ({ lastUsedAt }: Conversation): number => lastUsedAt + idleMs;

const silent: AnswerEvents = { text: () => undefined, tool: () => undefined };

/** Ends a conversation; a turn that is under way is broken off. */
export function remove(app: App, { id, engine }: Conversation): void {
  conversations(app).byId.delete(id);
  engine.close();
}

/** The organization's conversations; those that nobody uses any more are given up. */
function liveOf(app: App, orgId: string): Conversation[] {
  const { byId } = conversations(app);
  const all = [...byId.values()];
  for (const one of all) if (expiryOf(one) <= app.clock.now()) remove(app, one);
  return all.filter((one) => one.orgId === orgId && byId.has(one.id));
}

/** An agent with settings to try. */
async function agentToTry(app: App, orgId: string, agentId: string, input: NewConversation): Promise<Agent> {
  const agent = await findAgent(app.db, orgId, agentId);
  const { edition, settings = {} } = input;
  const faults = agent ? await agentFaults(app, app.db, orgId, settings, agent) : [];
  if (faults.length > 0) throw invalid(faults.map((fault) => ({ ...fault, path: `settings.${fault.path}` })));
  if (!agent) throw notFound('agent');
  const earlier = edition === undefined ? {} : (await editionOf(app.db, orgId, agentId, edition)).settings;
  return { ...agent, ...earlier, ...settings, edition: edition ?? agent.edition };
}

/**
 * Begins a conversation with an agent; its first words are the first turn.
 * @throws notFound for the agent or its edition; invalid for a contact or settings that do not exist; conflict when the organization has
 *   20 of them; provider when the model does not answer
 */
export async function begin(
  app: App,
  orgId: string,
  agentId: string,
  input: NewConversation,
  events: AnswerEvents = silent,
): Promise<Conversation> {
  const agent = await agentToTry(app, orgId, agentId, input);
  const contact = input.contactId === undefined ? undefined : await findContact(app.db, orgId, input.contactId);
  if (input.contactId !== undefined && !contact) throw invalid([{ path: 'contact_id', message: 'no such contact' }]);
  const now = app.clock.now();
  const call = standInCall({ id: app.ids.make(), agent, contact, metadata: input.metadata ?? emptyObject, now });
  const values = valuesFor({ call }, contact);
  const texts = { prompt: filledIn(agent.prompt, values), firstMessage: filledIn(agent.firstMessage, values) };
  const tools = await toolsOf(app, agent, call);
  // Nothing is awaited from here until it is among them, so that requests at the same time are counted, too.
  if (liveOf(app, orgId).length >= maxLive)
    throw conflict(`The organization has ${maxLive} conversations, which is the most it may have; end one first.`);
  const { name, engine } = engineFor(app, { agent, call, texts, tools });
  const conversation: Conversation = {
    id: call.id,
    orgId,
    agent,
    edition: agent.edition,
    call,
    engineName: name,
    engine,
    startedAt: now,
    lastUsedAt: now,
    isBusy: true,
    hasEnded: false,
    turns: [],
  };
  conversations(app).byId.set(call.id, conversation);
  try {
    await agentTurn(app, conversation, (own) => engine.open(own), events);
  } catch (error) {
    remove(app, conversation);
    throw error;
  }
  conversation.isBusy = false;
  return conversation;
}

/** Has the engine answer, and measures how long it takes. */
async function agentTurn(
  app: App,
  conversation: Conversation,
  ask: (events: AnswerEvents) => ReturnType<Conversation['engine']['open']>,
  events: AnswerEvents,
): Promise<Turn | null> {
  const startedMs = performance.now();
  const passedMs = (): number => Math.round(performance.now() - startedMs);
  let firstTokenMs: number | null = null;
  const atMs = app.clock.now() - conversation.startedAt;
  const answer = await ask({
    text(piece) {
      firstTokenMs ??= passedMs();
      events.text(piece);
    },
    tool: events.tool,
  });
  if (answer === null) return null;
  const { ended, ...said } = answer;
  const turn: Turn = { role: 'agent', ...said, atMs, firstTokenMs, totalMs: passedMs() };
  conversation.turns.push(turn);
  conversation.hasEnded = ended;
  return turn;
}

const userTurn = (text: string, atMs: number): Turn => ({
  role: 'user',
  text,
  atMs,
  firstTokenMs: null,
  totalMs: null,
  tools: [],
  passages: [],
  inputTokens: null,
  outputTokens: null,
});

type Place = { orgId: string; agentId: string; id: string };

/** @throws notFound when there is no such conversation; conflict for one that was idle for too long, which is then gone */
export function conversationOf(app: App, { orgId, agentId, id }: Place): Conversation {
  const found = conversations(app).byId.get(id);
  if (!found || found.orgId !== orgId || found.agent.id !== agentId) throw notFound('conversation');
  if (expiryOf(found) > app.clock.now()) return found;
  remove(app, found);
  throw conflict('Nobody said anything for 30 minutes, so the conversation is over; begin another one.');
}

/**
 * Makes sure that a text can be said now, and keeps others from saying one meanwhile.
 * @throws as `conversationOf`; conflict while a turn is under way, when the agent has ended the conversation, and after 50 turns, with
 *   which it is gone; rate_limited
 */
export function take(app: App, place: Place, person: string): Conversation {
  const conversation = conversationOf(app, place);
  if (conversation.isBusy) throw conflict('The agent is still answering; wait for its turn.');
  if (conversation.hasEnded) throw conflict('The agent has ended the conversation; begin another one.');
  if (conversation.turns.filter(({ role }) => role === 'user').length >= maxTurns) {
    remove(app, conversation);
    throw conflict(`A conversation has at most ${maxTurns} turns, and this one is over; begin another one.`);
  }
  const { allowed, retryInMs } = conversations(app).budget.take(person);
  if (!allowed) {
    const waitSec = Math.max(1, Math.ceil(retryInMs / 1000));
    throw new AppError('rate_limited', `Say at most ${rate.perSecond} texts a second; try again in ${waitSec} s.`, {
      headers: { 'Retry-After': String(waitSec) },
    });
  }
  conversation.isBusy = true;
  return conversation;
}

/**
 * Says a text in a conversation that `take` has returned, and resolves with the new turns. After a fault the text counts as not said.
 * @throws provider when the model does not answer
 */
export async function say(
  app: App,
  conversation: Conversation,
  text: string,
  events: AnswerEvents = silent,
): Promise<Turn[]> {
  const before = conversation.turns.length;
  conversation.lastUsedAt = app.clock.now();
  conversation.turns.push(userTurn(text, app.clock.now() - conversation.startedAt));
  try {
    await agentTurn(app, conversation, (own) => conversation.engine.answer(text, own), events);
    return conversation.turns.slice(before);
  } catch (error) {
    conversation.turns.length = before;
    throw error;
  } finally {
    conversation.isBusy = false;
  }
}

/**
 * Ends a conversation when the transaction of the request is committed.
 * @throws as `conversationOf`
 */
export const end = (app: App, place: Place): Promise<void> =>
  transact(app.db, place.orgId, (tx) => {
    const conversation = conversationOf(app, place);
    onCommit(tx, () => remove(app, conversation));
    return Promise.resolve();
  });

export type Replay = { agentId: string; texts: string[]; input: NewConversation };

/**
 * What is to be said again of a call: the first 30 turns of the other side, to its agent as it is, with other settings, or in another edition.
 * @throws notFound when the organization has no such call, or the agent no such edition; conflict when its agent is gone
 */
export async function replayOf(
  app: App,
  orgId: string,
  callId: string,
  { settings, edition }: Pick<NewConversation, 'settings' | 'edition'>,
): Promise<Replay> {
  const call = await getCall(app, orgId, callId);
  if (!(await findAgent(app.db, orgId, call.agentId)))
    throw conflict('The agent of this call was deleted, so nobody can answer.');
  const contact = call.contactId === null ? undefined : await findContact(app.db, orgId, call.contactId);
  const said = call.transcripts.filter(({ role, message }) => role === 'user' && message.format === 'text');
  const input: NewConversation = {
    metadata: call.metadata,
    ...(contact ? { contactId: contact.id } : {}),
    ...(settings ? { settings } : {}),
    ...(edition === undefined ? {} : { edition }),
  };
  return { agentId: call.agentId, texts: said.slice(0, maxReplayed).map(({ message }) => message.content), input };
}

/** Says all texts of a replay, one after the other, until the agent ends the conversation. */
export async function sayAll(
  app: App,
  conversation: Conversation,
  texts: readonly string[],
  hears: (turns: readonly Turn[]) => void,
  events: AnswerEvents = silent,
): Promise<void> {
  for (const text of texts) {
    if (conversation.hasEnded || !conversations(app).byId.has(conversation.id)) return;
    conversation.isBusy = true;
    hears(await say(app, conversation, text, events));
  }
}
