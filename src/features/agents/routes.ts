import { isoOf } from '../../base/clock.ts';
import { search, searchTextIn } from '../../kernel/filters.ts';
import { pageReply } from '../../kernel/paging.ts';
import { operation, type Versioned } from '../../kernel/route.ts';
import {
  boolean,
  id,
  integer,
  label,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  timestamp,
  version,
  type TSchema,
  Type,
  withDefaults,
} from '../../kernel/schema.ts';
import { actorOf } from '../requests/audit.ts';
import { agentDefaults, type Agent, type AgentSettings, webhookEventNames } from './agent.ts';
import { removeAgent } from './removal.ts';
import { model, optionalFields, status, voiceId } from './settings-wire.ts';
import * as service from './service.ts';

const tag = 'Agents';
export const agentPath = object({ agent_id: id('agent') });

const newAgentSchema = object(
  { agentName: label(), model: model(), voiceId: voiceId(), ...withDefaults(optionalFields, agentDefaults) },
  { title: 'NewAgent' },
);
const agentChangesSchema = object(
  {
    agentName: optional(label()),
    model: optional(model()),
    voiceId: optional(voiceId()),
    ...optionalFields,
  },
  { title: 'AgentChanges' },
);

const count = () => optional(integer({ minimum: 1 }));

export const agentSchema = object(
  {
    id: id('agent'),
    organizationId: id('organization'),
    agentName: Type.String(),
    status: status(),
    model: Type.String(),
    voiceId: Type.String(),
    temperature: number(),
    reminderTriggerMs: integer(),
    maxCallDurationMs: integer(),
    silenceTimeoutMs: integer(),
    calendarTimezone: Type.String(),
    emotion: boolean(),
    voicemailDetection: boolean(),
    emergencyFallback: nullable(Type.String()),
    transferPhone: nullable(Type.String()),
    recordCalls: boolean(),
    recordingNotice: nullable(Type.String()),
    prompt: nullable(Type.String()),
    firstMessage: nullable(Type.String()),
    voicemailMessage: nullable(Type.String()),
    knowledgeBaseIds: list(id('knowledge base')),
    webhookUrls: list(Type.String()),
    webhookEvents: list(oneOf(webhookEventNames)),
    callStats: object(
      {
        totalCalls: count(),
        completedCalls: count(),
        failedCalls: count(),
        noAnswerCalls: count(),
        busyCalls: count(),
        voicemailCalls: count(),
      },
      { description: 'Counts of ended calls; counters that are zero are left out' },
    ),
    version: version(),
    edition: integer({ description: 'The newest edition' }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  } satisfies Record<keyof AgentSettings, TSchema> & Record<string, TSchema>,
  { title: 'Agent' },
);

const presentStats = ({ callStats: stats }: Agent) => ({
  ...(stats.total > 0 ? { totalCalls: stats.total } : {}),
  ...(stats.completed > 0 ? { completedCalls: stats.completed } : {}),
  ...(stats.failed > 0 ? { failedCalls: stats.failed } : {}),
  ...(stats.noAnswer > 0 ? { noAnswerCalls: stats.noAnswer } : {}),
  ...(stats.busy > 0 ? { busyCalls: stats.busy } : {}),
  ...(stats.voicemail > 0 ? { voicemailCalls: stats.voicemail } : {}),
});

export const presentAgent = (agent: service.AgentWithUrls) => ({
  id: agent.id,
  organizationId: agent.orgId,
  agentName: agent.agentName,
  status: agent.status,
  model: agent.model,
  voiceId: agent.voiceId,
  temperature: agent.temperature,
  reminderTriggerMs: agent.reminderTriggerMs,
  maxCallDurationMs: agent.maxCallDurationMs,
  silenceTimeoutMs: agent.silenceTimeoutMs,
  calendarTimezone: agent.calendarTimezone,
  emotion: agent.emotion,
  voicemailDetection: agent.voicemailDetection,
  emergencyFallback: agent.emergencyFallback,
  transferPhone: agent.transferPhone,
  recordCalls: agent.recordCalls,
  recordingNotice: agent.recordingNotice,
  prompt: agent.prompt,
  firstMessage: agent.firstMessage,
  voicemailMessage: agent.voicemailMessage,
  knowledgeBaseIds: agent.knowledgeBaseIds,
  webhookUrls: agent.webhookUrls,
  webhookEvents: agent.webhookEvents,
  callStats: presentStats(agent),
  version: agent.version,
  edition: agent.edition,
  createdAt: isoOf(agent.createdAt),
  updatedAt: isoOf(agent.updatedAt),
});

export const versioned: Versioned = {
  table: 'agents',
  async find(app, orgId, { agent_id: agentId = '' }) {
    const agent = await service.findAgent(app.db, orgId, agentId);
    if (!agent) return undefined;
    const {
      id: _id,
      organizationId: _organization,
      callStats: _stats,
      version: _version,
      edition: _edition,
      createdAt: _createdAt,
      updatedAt: _updatedAt,
      ...settings
    } = presentAgent(await service.withUrls(app.db, agent));
    return { id: agent.id, version: agent.version, settings };
  },
};

export const createAgent = operation({
  operationId: 'createAgent',
  tag,
  versioned,
  summary: 'Create an agent',
  body: newAgentSchema,
  example: {
    agentName: 'Robin',
    model: 'parley-demo',
    voiceId: '01990000-0000-7000-8000-000000000101',
    prompt: 'You call to remind people of an appointment. Be brief and friendly.',
    firstMessage: 'Hello, this is Robin. Is this a good moment?',
    webhook_url: 'https://example.com/hooks/parley',
    webhook_events: ['call.completed'],
  },
  acceptsBothCases: true,
  data: agentSchema,
  message: 'Agent created.',
  additionalFaults: (app, { caller, body }) => service.agentFaults(app, app.db, caller.orgId, body),
  handle: async (app, { caller, body }) => ({
    data: presentAgent(await service.createAgent(app, caller.orgId, body, actorOf(caller))),
  }),
});

export const listAgents = operation({
  operationId: 'listAgents',
  tag,
  summary: 'List agents, newest first',
  query: object({ q: search('Part of the name') }),
  paged: true,
  data: list(agentSchema),
  message: 'Agents fetched.',
  async handle(app, { caller, query, page }) {
    return pageReply(await service.listAgents(app, caller.orgId, searchTextIn(query.q), page), presentAgent);
  },
});

export const getAgent = operation({
  operationId: 'getAgent',
  tag,
  versioned,
  summary: 'Get an agent',
  params: agentPath,
  data: agentSchema,
  message: 'Agent fetched.',
  handle: async (app, { caller, params }) => ({
    data: presentAgent(await service.getAgent(app.db, caller.orgId, params.agent_id)),
  }),
});

export const updateAgent = operation({
  operationId: 'updateAgent',
  tag,
  versioned,
  summary: 'Update an agent; fields left out keep their value',
  params: agentPath,
  body: agentChangesSchema,
  example: { webhook_url: 'https://example.com/hooks/parley', webhook_events: ['call.completed'] },
  acceptsBothCases: true,
  data: agentSchema,
  forbidsCalls: true,
  message: 'Agent updated.',
  additionalFaults: async (app, { caller, params, body }) =>
    service.agentFaults(
      app,
      app.db,
      caller.orgId,
      body,
      await service.findAgent(app.db, caller.orgId, params.agent_id),
    ),
  handle: async (app, { caller, params, body }) => ({
    data: presentAgent(await service.updateAgent(app, caller.orgId, params.agent_id, body, actorOf(caller))),
  }),
});

export const deleteAgent = operation({
  operationId: 'deleteAgent',
  tag,
  versioned,
  summary: 'Delete an agent; refused while an active campaign uses it',
  params: agentPath,
  message: 'Agent deleted.',
  errors: ['conflict'],
  async handle(app, { caller, params }) {
    await removeAgent(app, caller.orgId, params.agent_id);
    return {};
  },
});
