import { isoOf } from '../../base/clock.ts';
import { given } from '../../base/given.ts';
import { type Caller, operation, type Versioned } from '../../kernel/route.ts';
import {
  boolean,
  id,
  label,
  list,
  object,
  oneOf,
  optional,
  text,
  timestamp,
  Type,
  version,
} from '../../kernel/schema.ts';
import * as service from './service.ts';
import { type View, viewPages } from './view.ts';

const tag = 'Views';
const viewPath = object({ id: id('view') });

const viewSchema = object(
  {
    id: id('view'),
    page: oneOf(viewPages),
    name: Type.String(),
    query: Type.String(),
    shared: boolean(),
    own: boolean({ description: 'Whether the caller made it' }),
    version: version(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { title: 'SavedView' },
);

const present = (view: View, caller: Caller) => ({
  id: view.id,
  page: view.page,
  name: view.name,
  query: view.query,
  shared: view.shared,
  own: view.owner === service.ownerOf(caller),
  version: view.version,
  created_at: isoOf(view.createdAt),
  updated_at: isoOf(view.updatedAt),
});

const versioned: Versioned = {
  table: 'saved_views',
  async find(app, orgId, { id: viewId = '' }) {
    const view = await service.findView(app, orgId, viewId);
    return (
      view && {
        id: view.id,
        version: view.version,
        settings: { name: view.name, query: view.query, shared: view.shared },
      }
    );
  },
};

const query = () => text(2000, 0);
const shared = () => optional(boolean({ description: 'Whether everybody in the organization sees it' }));

export const listViews = operation({
  operationId: 'listViews',
  tag,
  summary: "List saved views, newest first: one's own, and those that are shared",
  query: object({ page: optional(oneOf(viewPages, { description: 'Only views of this page' })) }),
  data: list(viewSchema, { maxItems: 500 }),
  message: 'Views fetched.',
  handle: async (app, { caller, query: { page } }) => ({
    data: (await service.listViews(app, caller, page)).map((view) => present(view, caller)),
  }),
});

export const createView = operation({
  operationId: 'createView',
  tag,
  versioned,
  summary: 'Save a view: a list with its filters, under a name',
  body: object({ page: oneOf(viewPages), name: label(100), query: query(), shared: shared() }),
  example: { page: 'calls', name: 'Goals missed', query: 'goals_met=false', shared: true },
  data: viewSchema,
  message: 'View saved.',
  errors: ['conflict'],
  handle: async (app, { caller, body }) => ({
    data: present(await service.createView(app, caller, { ...body, shared: body.shared ?? false }), caller),
  }),
});

export const updateView = operation({
  operationId: 'updateView',
  tag,
  versioned,
  summary: 'Change a saved view; fields left out keep their value',
  params: viewPath,
  body: object({ name: optional(label(100)), query: optional(query()), shared: shared() }),
  example: { name: 'Goals missed today' },
  data: viewSchema,
  message: 'View updated.',
  handle: async (app, { caller, params, body }) => ({
    data: present(await service.updateView(app, caller, params.id, given(body)), caller),
  }),
});

export const deleteView = operation({
  operationId: 'deleteView',
  tag,
  versioned,
  summary: 'Delete a saved view',
  params: viewPath,
  message: 'View deleted.',
  async handle(app, { caller, params }) {
    await service.deleteView(app, caller, params.id);
    return {};
  },
});
