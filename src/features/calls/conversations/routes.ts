import { transact } from '../../../db/transaction.ts';
import { invalid } from '../../../base/errors.ts';
import { given } from '../../../base/given.ts';
import { type Caller, operation } from '../../../kernel/route.ts';
import { id, integer, metadata, object, optional, text } from '../../../kernel/schema.ts';
import { editionSettingsSchema } from '../../agents/settings-wire.ts';
import { actorOf, appendAudit } from '../../requests/audit.ts';
import * as service from './service.ts';
import { streamOf } from './stream.ts';
import { conversationSchema, newTurnsSchema, outcomeOf, presentConversation, presentTurn } from './wire.ts';

const tag = 'Conversations';
const agentPath = object({ id: id('agent') });
const conversationPath = object({ id: id('agent'), cid: id('conversation') });

const placeOf = ({ orgId }: Caller, params: { id: string; cid: string }) => ({
  orgId,
  agentId: params.id,
  id: params.cid,
});

export const createConversation = operation({
  operationId: 'createConversation',
  tag,
  summary: 'Begin a conversation with an agent by text, also with settings that are not saved',
  params: agentPath,
  body: object({
    contact_id: optional(id('contact')),
    metadata: optional(metadata()),
    settings: optional(editionSettingsSchema),
  }),
  bodyOptional: true,
  acceptsBothCases: true,
  example: { settings: { firstMessage: 'Hello {{first_name}}, do you have a moment?' } },
  data: conversationSchema,
  ownTransactions: true,
  message: 'Conversation begun.',
  errors: ['conflict', 'provider'],
  async handle(app, { caller, params, body }) {
    const { contact_id: contactId, metadata: data, settings } = body;
    const input = given({ contactId, metadata: data, settings });
    return { data: presentConversation(await service.begin(app, caller.orgId, params.id, input)) };
  },
});

export const getConversation = operation({
  operationId: 'getConversation',
  tag,
  summary: 'Get a conversation with all its turns',
  params: conversationPath,
  data: conversationSchema,
  message: 'Conversation fetched.',
  errors: ['conflict'],
  handle: (app, { caller, params }) =>
    Promise.resolve({ data: presentConversation(service.conversationOf(app, placeOf(caller, params))) }),
});

export const createConversationTurn = operation({
  operationId: 'createConversationTurn',
  tag,
  summary: 'Say something in a conversation, and get the answer',
  params: conversationPath,
  body: object({ text: text(1000, 1) }),
  example: { text: 'What does it cost?' },
  data: newTurnsSchema,
  events:
    'The answer as it is made: `text` with `{text}` for each piece, `tool` with a tool of the turn, then `turn` with the turn of the agent, `ended` and `cost_total`; ' +
    '`error` with `{message}` in place of `turn` if the model does not answer.',
  readOnly: true,
  ownTransactions: true,
  message: 'Answered.',
  errors: ['conflict', 'provider', 'rate_limited'],
  async handle(app, { caller, params, body, wantsEvents }) {
    const person = `${caller.orgId}:${caller.identity}:${caller.subject}`;
    const conversation = service.take(app, placeOf(caller, params), person);
    if (!wantsEvents) {
      const turns = await service.say(app, conversation, body.text);
      return { data: { turns: turns.map(presentTurn), ...outcomeOf(conversation) } };
    }
    return {
      stream: streamOf(app, async (send, events) => {
        const turns = await service.say(app, conversation, body.text, events);
        send('turn', { ...presentTurn(turns.at(-1)!), ...outcomeOf(conversation) });
      }),
    };
  },
});

export const deleteConversation = operation({
  operationId: 'deleteConversation',
  tag,
  summary: 'End a conversation; nothing of it stays',
  params: conversationPath,
  message: 'Conversation ended.',
  errors: ['conflict'],
  handle: async (app, { caller, params }) => {
    await service.end(app, placeOf(caller, params));
    return {};
  },
});

const both = (message: string) => ['settings', 'edition'].map((path) => ({ path, message }));

export const replayCall = operation({
  operationId: 'replayCall',
  tag,
  summary: 'Say what the other side said in a call again, in a conversation with its agent',
  params: object({ id: id('call') }),
  body: object({
    settings: optional(editionSettingsSchema),
    edition: optional(integer({ minimum: 1, description: 'Talk to this edition of the agent' })),
  }),
  bodyOptional: true,
  acceptsBothCases: true,
  example: { edition: 1 },
  data: conversationSchema,
  events:
    'The conversation as it goes: `conversation` at its beginning, then for each turn `text` and `tool` as it is made, and `turn` when it is whole; ' +
    'at the end `conversation` again.',
  readOnly: true,
  ownTransactions: true,
  message: 'Call replayed.',
  errors: ['conflict', 'provider'],
  async handle(app, { caller, params, body, requestId, ip, wantsEvents }) {
    const { orgId } = caller;
    if (body.settings && body.edition !== undefined) throw invalid(both('give settings or edition, not both'));
    const replay = await service.replayOf(app, orgId, params.id, given(body));
    const conversation = await service.begin(app, orgId, replay.agentId, replay.input);
    const target = { agent_id: replay.agentId, call_id: params.id };
    const entry = { orgId, actor: actorOf(caller), operation: 'replayCall', target, requestId, ip };
    await transact(app.db, orgId, (tx) => appendAudit(app, tx, entry));
    if (!wantsEvents) {
      await service.sayAll(app, conversation, replay.texts, () => undefined);
      return { data: presentConversation(conversation) };
    }
    const run: Parameters<typeof streamOf>[1] = async (send, events) => {
      send('conversation', presentConversation(conversation));
      const hears = (turns: Parameters<typeof presentTurn>[0][]) => {
        for (const turn of turns) send('turn', presentTurn(turn));
      };
      await service.sayAll(app, conversation, replay.texts, (turns) => hears([...turns]), events);
      send('conversation', presentConversation(conversation));
    };
    return { stream: streamOf(app, run, () => service.remove(app, conversation)) };
  },
});
