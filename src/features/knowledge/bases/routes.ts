import { operation, type Versioned } from '../../../kernel/route.ts';
import { boolean, id, label, list, object, optional } from '../../../kernel/schema.ts';
import { orgParameters, requireOwn, requireOwnOrg } from '../../organizations/org-id.ts';
import { listBases } from './store.ts';
import { queryKnowledge } from '../query.ts';
import { retrievalOf } from '../../../search/service.ts';
import * as service from './service.ts';
import {
  baseWithSourcesSchema,
  listItemSchema,
  passageSchema,
  presentBaseWithSources,
  presentListItem,
  queryFields,
} from '../wire.ts';

const tag = 'Knowledge bases';
const basePath = object({ kb_id: id('knowledge base') });

const versioned: Versioned = {
  table: 'knowledge_bases',
  async find(app, orgId, { kb_id: baseId = '' }) {
    const base = await service.findBase(app.db, orgId, baseId);
    const settings = base && { knowledge_base_name: base.name, enable_auto_refresh: base.enableAutoRefresh };
    return base && { id: base.id, version: base.version, settings: settings! };
  },
};

export const listKnowledgeBases = operation({
  operationId: 'listKnowledgeBases',
  tag,
  summary: 'List knowledge bases, newest first',
  query: object({
    ...orgParameters,
    failing: optional(boolean({ description: 'Only those with a source that could not be read' })),
  }),
  data: list(listItemSchema),
  message: 'Knowledge bases fetched.',
  errors: ['not_found'],
  async handle(app, { caller, query }) {
    requireOwnOrg(caller.orgId, query);
    return { data: (await listBases(app.db, caller.orgId, { failing: query.failing })).map(presentListItem) };
  },
});

export const createKnowledgeBase = operation({
  operationId: 'createKnowledgeBase',
  tag,
  versioned,
  summary: 'Create a knowledge base',
  body: object(
    {
      name: label(),
      org_id: optional(id('organization, the caller’s own')),
      enable_auto_refresh: optional(
        boolean({ default: false, description: 'Whether websites are crawled again every 12 hours' }),
      ),
    },
    { title: 'NewKnowledgeBase' },
  ),
  example: { name: 'Help centre', enable_auto_refresh: true },
  data: baseWithSourcesSchema,
  message: 'Knowledge base created.',
  errors: ['not_found', 'conflict'],
  async handle(app, { caller, body }) {
    if (body.org_id !== undefined) requireOwn(caller.orgId, body.org_id);
    const input = { name: body.name, enableAutoRefresh: body.enable_auto_refresh ?? false };
    const created = await service.createBase(app, caller.orgId, input);
    return { data: presentBaseWithSources(created, await retrievalOf(app, created.base.id)) };
  },
});

export const getKnowledgeBase = operation({
  operationId: 'getKnowledgeBase',
  tag,
  versioned,
  summary: 'Get a knowledge base with its newest sources and their status',
  params: basePath,
  data: baseWithSourcesSchema,
  message: 'Knowledge base fetched.',
  handle: async (app, { caller, params }) => ({
    data: presentBaseWithSources(
      await service.knowledgeBaseWithSites(app.db, caller.orgId, params.kb_id),
      await retrievalOf(app, params.kb_id),
    ),
  }),
});

export const updateKnowledgeBase = operation({
  operationId: 'updateKnowledgeBase',
  tag,
  versioned,
  summary: 'Rename a knowledge base, or change whether its websites are crawled again',
  params: basePath,
  body: object(
    {
      name: optional(label()),
      enable_auto_refresh: optional(boolean({ description: 'Whether websites are crawled again every 12 hours' })),
    },
    { title: 'KnowledgeBaseChanges' },
  ),
  example: { name: 'Help centre', enable_auto_refresh: false },
  data: baseWithSourcesSchema,
  message: 'Knowledge base updated.',
  async handle(app, { caller, params, body }) {
    const { name, enable_auto_refresh: enableAutoRefresh } = body;
    const changes = {
      ...(name === undefined ? {} : { name }),
      ...(enableAutoRefresh === undefined ? {} : { enableAutoRefresh }),
    };
    const updated = await service.updateBase(app, caller.orgId, params.kb_id, changes);
    return { data: presentBaseWithSources(updated, await retrievalOf(app, params.kb_id)) };
  },
});

export const deleteKnowledgeBase = operation({
  operationId: 'deleteKnowledgeBase',
  tag,
  versioned,
  summary: 'Delete a knowledge base with all its sources and documents',
  params: basePath,
  message: 'Knowledge base deleted.',
  async handle(app, { caller, params }) {
    await service.deleteBase(app, caller.orgId, params.kb_id);
    return {};
  },
});

export const queryKnowledgeBase = operation({
  operationId: 'queryKnowledgeBase',
  tag,
  summary: 'Find the passages of a knowledge base that best answer a question',
  params: basePath,
  body: object(queryFields, { title: 'KnowledgeQuery' }),
  example: { query: 'How long may I return what I bought?', limit: 3 },
  data: list(passageSchema),
  readOnly: true,
  ownTransactions: true,
  message: 'Passages found.',
  async handle(app, { caller, params, body }) {
    const base = await service.requireBase(app.db, caller.orgId, params.kb_id);
    return { data: await queryKnowledge(app, caller.orgId, [base.id], body.query, body.limit) };
  },
});
