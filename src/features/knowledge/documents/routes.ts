import type { Fault } from '../../../base/errors.ts';
import { JsonObject } from '../../../base/json.ts';
import { aliasFaults, type AliasQuery, aliasValue } from '../../../kernel/aliases.ts';
import { pageReply } from '../../../kernel/paging.ts';
import { operation } from '../../../kernel/route.ts';
import { id, list, metadata, nullable, object, optional, type Static, Type } from '../../../kernel/schema.ts';
import { allowOwnOrg, orgParameters, requireOwnOrg } from '../../organizations/org-id.ts';
import * as documents from './service.ts';
import { docId, documentSchema, presentDocument } from '../wire.ts';

const tag = 'Knowledge bases';

/** Accepted names of the document id query parameter, preferred one first. */
const names = ['doc_id', 'document_id', 'docId'] as const;
const docParameters = {
  doc_id: optional(docId('ID of the document, as you set it. Required under one of its three names.')),
  document_id: optional(docId('Alias of doc_id')),
  docId: optional(docId('Alias of doc_id')),
};
type DocQuery = AliasQuery<(typeof names)[number]>;

const docIdFaults = (query: DocQuery): Fault[] => aliasFaults(names, query);
const docIdIn = (query: DocQuery): string => aliasValue(names, query)!;

const upsertBody = object(
  {
    kb_id: id('knowledge base'),
    doc_id: optional(docId('Your ID of the document, unique in the organization. Generated if omitted.')),
    text: optional(
      nullable(Type.String({ pattern: '\\S', description: 'Text of the document, interpreted as Markdown' })),
    ),
    url: optional(
      nullable(Type.String({ description: 'Source of the document. Without text, the page at this URL is fetched.' })),
    ),
    metadata: optional(metadata()),
  },
  { title: 'DocumentToUpsert' },
);

const inputOf = (body: Partial<Static<typeof upsertBody>>) => ({
  ...(body.doc_id === undefined ? {} : { docId: body.doc_id }),
  ...(body.text === undefined || body.text === null ? {} : { text: body.text }),
  ...(body.url === undefined ? {} : { url: body.url }),
  ...(body.metadata === undefined ? {} : { metadata: body.metadata }),
});

export const upsertKnowledgeDocument = operation({
  operationId: 'upsertKnowledgeDocument',
  tag,
  summary: 'Create a document, or update the one with the same doc_id',
  body: upsertBody,
  bodyLimit: 'large',
  example: {
    kb_id: '019cadc6-9a80-7001-a45e-788430a62e9c',
    doc_id: 'returns',
    text: 'What you bought may be returned within 30 days.',
    url: 'https://example.com/help/returns',
    metadata: JsonObject.of({ title: 'Returns' }),
  },
  data: documentSchema,
  message: 'Document stored. It is being processed.',
  errors: ['conflict'],
  async additionalFaults(app, { caller, body, presentFields }) {
    const input = { ...inputOf(body), ...(body.kb_id === undefined ? {} : { kbId: body.kb_id }) };
    const faults = await documents.validateDocument(app, caller.orgId, input);
    // An existing document may already have text, and an invalid field still counts as present.
    const isNew =
      !presentFields.has('doc_id') && ['text', 'url'].every((name) => !presentFields.has(name) || name in body);
    return isNew && documents.lacksTextAndUrl(input) ? [...faults, ...documents.textOrUrlFaults] : faults;
  },
  handle: async (app, { caller, body }) => ({
    data: presentDocument(await documents.upsertDocument(app, caller.orgId, { ...inputOf(body), kbId: body.kb_id })),
  }),
});

export const getKnowledgeDocument = operation({
  operationId: 'getKnowledgeDocument',
  tag,
  summary: 'Get a document',
  query: object({ ...orgParameters, ...docParameters }),
  data: documentSchema,
  message: 'Document fetched.',
  errors: ['not_found'],
  async handle(app, { caller, query }) {
    requireOwnOrg(caller.orgId, query, docIdFaults(query));
    return { data: presentDocument(await documents.requireDocument(app, caller.orgId, docIdIn(query))) };
  },
});

export const listKnowledgeDocuments = operation({
  operationId: 'listKnowledgeDocuments',
  tag,
  summary: `List documents, newest first, with the first ${documents.maxListedTextChars} characters of their texts`,
  query: object({ ...orgParameters, kb_id: optional(id('knowledge base; documents of all without it')) }),
  paged: true,
  data: list(documentSchema),
  message: 'Documents fetched.',
  async handle(app, { caller, query, page }) {
    allowOwnOrg(caller.orgId, query);
    return pageReply(await documents.listDocuments(app, caller.orgId, query.kb_id, page), presentDocument);
  },
});

export const deleteKnowledgeDocument = operation({
  operationId: 'deleteKnowledgeDocument',
  tag,
  summary: 'Delete a document',
  query: object({ ...orgParameters, ...docParameters }),
  message: 'Document deleted.',
  errors: ['not_found'],
  async handle(app, { caller, query }) {
    allowOwnOrg(caller.orgId, query, docIdFaults(query));
    await documents.deleteDocument(app, caller.orgId, docIdIn(query));
    return {};
  },
});
