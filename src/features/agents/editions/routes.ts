import { isoOf } from '../../../base/clock.ts';
import { notFound } from '../../../base/errors.ts';
import { pageReply } from '../../../kernel/paging.ts';
import { operation } from '../../../kernel/route.ts';
import { id, integer, list, nullable, object, oneOf, optional, text, timestamp, Type } from '../../../kernel/schema.ts';
import { actorOf } from '../../requests/audit.ts';
import { actorSchema, presentActor } from '../../requests/actor-wire.ts';
import { agentPath, agentSchema, presentAgent, versioned } from '../routes.ts';
import type { Edition } from './edition.ts';
import { diffOf, editionOf, listEditions, restoreEdition } from './service.ts';

const tag = 'Agents';

const editionPath = object({
  agent_id: id('agent'),
  edition: Type.String({ maxLength: 100, description: 'edition of this agent' }),
});

/** @throws notFound when it is no number of an edition */
function numberOf({ edition }: { edition: string }): number {
  if (!/^[1-9]\d{0,14}$/.test(edition)) throw notFound('edition');
  return Number(edition);
}

const editionFields = {
  edition: integer(),
  at: timestamp(),
  by: nullable(actorSchema()),
  note: nullable(Type.String()),
};

const presentEdition = ({ edition, at, by, note }: Edition) => ({
  edition,
  at: isoOf(at),
  by: by && presentActor(by),
  note,
});

const anyValue = (description: string) => Type.Unsafe<unknown>({ description });

export const listAgentEditions = operation({
  operationId: 'listAgentEditions',
  tag,
  summary: 'List the editions of an agent, newest first: what it was set to, from each change to the next',
  params: agentPath,
  paged: true,
  data: list(
    object(
      {
        ...editionFields,
        fields: list(Type.String(), { description: 'The settings that differ from the edition before' }),
        calls: integer({ description: 'Ended calls that were made with it' }),
      },
      { title: 'AgentEdition' },
    ),
  ),
  message: 'Editions fetched.',
  async handle(app, { caller, params, page }) {
    return pageReply(await listEditions(app, caller.orgId, params.agent_id, page), (edition) => ({
      ...presentEdition(edition),
      fields: [...edition.fields],
      calls: edition.calls,
    }));
  },
});

export const getAgentEdition = operation({
  operationId: 'getAgentEdition',
  tag,
  summary: 'Get an edition of an agent with its settings',
  params: editionPath,
  data: object({
    ...editionFields,
    settings: Type.Unsafe<Record<string, unknown>>({ type: 'object', description: "Named as in the agent's answers" }),
  }),
  message: 'Edition fetched.',
  async handle(app, { caller, params }) {
    const { edition, settings } = await editionOf(app.db, caller.orgId, params.agent_id, numberOf(params));
    return { data: { ...presentEdition(edition), settings } };
  },
});

export const diffAgentEditions = operation({
  operationId: 'diffAgentEditions',
  tag,
  summary: 'Compare an edition of an agent with another one',
  params: editionPath,
  query: object({ with: optional(integer({ minimum: 1, description: 'Default: the edition before' })) }),
  data: object(
    {
      from: integer(),
      to: integer(),
      changes: list(
        object({
          field: Type.String(),
          before: anyValue('The value in `from`'),
          after: anyValue('The value in `to`'),
          lines: optional(
            nullable(
              list(object({ op: oneOf(['=', '-', '+']), text: Type.String() }), {
                description: 'Texts only: line by line; null for texts of more than 5,000 lines',
              }),
            ),
          ),
        }),
      ),
    },
    { title: 'AgentEditionDiff' },
  ),
  message: 'Editions compared.',
  handle: async (app, { caller, params, query }) => ({
    data: await diffOf(app, caller.orgId, params.agent_id, numberOf(params), query.with),
  }),
});

export const restoreAgentEdition = operation({
  operationId: 'restoreAgentEdition',
  tag,
  versioned,
  takesVersion: true,
  summary: 'Give an agent the settings of an earlier edition, as a new one',
  params: editionPath,
  body: object({ note: optional(nullable(text(200))) }),
  bodyOptional: true,
  example: { note: 'Back to the shorter greeting' },
  data: agentSchema,
  message: 'Edition restored.',
  errors: ['conflict'],
  async handle(app, { caller, params, body }) {
    const origin = { note: body.note ?? null, actor: actorOf(caller) };
    return { data: presentAgent(await restoreEdition(app, caller.orgId, params.agent_id, numberOf(params), origin)) };
  },
});
