import { isoOf } from '../../base/clock.ts';
import {
  boolean,
  id,
  integer,
  list,
  metadata,
  nullable,
  object,
  oneOf,
  optional,
  timestamp,
  Type,
  version,
} from '../../kernel/schema.ts';
import type { Retrieval } from '../../search/service.ts';
import { type Document, maxDocIdLength } from './documents/document.ts';
import {
  baseStatuses,
  type CountedSource,
  type KnowledgeBase,
  sourceTypes,
  statusOf,
  sumOf,
  type UrlSource,
  workStatuses,
} from './bases/knowledge-base.ts';
import { type KnowledgeBaseWithSites, type KnowledgeBaseWithSources, maxSourcesShown } from './bases/service.ts';

/** Instants of bases and sources are numbers. */
const unixMilliseconds = () => integer({ minimum: 0, description: 'Unix milliseconds' });
const error = () => nullable(Type.String({ description: 'Reason of the failure; null unless status is error' }));

export const listItemSchema = object(
  {
    id: id('knowledge base'),
    name: Type.String(),
    org_id: id('organization'),
    document_count: integer({ minimum: 0 }),
    version: version(),
    created_at: timestamp(),
  },
  { title: 'KnowledgeBaseListItem' },
);

const pagesWaiting = () =>
  integer({ minimum: 0, description: 'Pages that the current crawl still has to read; 0 when it is done' });

export const sourceSchema = object(
  {
    source_id: id('source'),
    source_type: oneOf(sourceTypes),
    source_name: Type.String({ description: 'Title, file name or URL of the source' }),
    source_url: nullable(Type.String()),
    source_status: oneOf(workStatuses),
    error: error(),
    pages_waiting: pagesWaiting(),
    created_timestamp: unixMilliseconds(),
    updated_timestamp: unixMilliseconds(),
  },
  { title: 'KnowledgeSource' },
);

const urlSourceSchema = object(
  {
    source_id: id('source'),
    url: Type.String(),
    pages_found: integer({ minimum: 0, description: 'Number of pages ingested so far' }),
    pages_waiting: pagesWaiting(),
    status: oneOf(workStatuses),
    error: error(),
    updated_timestamp: unixMilliseconds(),
  },
  { title: 'UrlSource' },
);

const baseFields = {
  knowledge_base_id: id('knowledge base'),
  knowledge_base_name: Type.String(),
  status: oneOf(baseStatuses, {
    description: 'in_progress while any source is being processed, error if all sources failed, otherwise complete',
  }),
  enable_auto_refresh: boolean(),
  knowledge_base_sources: list(sourceSchema, {
    description: `The newest ${maxSourcesShown} sources, oldest first; GET …/sources lists all`,
  }),
  version: version(),
  created_timestamp: unixMilliseconds(),
  last_updated_timestamp: unixMilliseconds(),
};

const baseSchema = object(baseFields, { title: 'KnowledgeBase' });

export const baseWithSourcesSchema = object(
  {
    ...baseFields,
    source_count: integer({ minimum: 0, description: 'Number of all sources' }),
    url_sources: list(urlSourceSchema),
    retrieval: oneOf(['full_text', 'hybrid'], { description: 'full_text: by words; hybrid: by words and meaning' }),
    pending_embeddings: integer({
      minimum: 0,
      description: 'Passages that the embeddings endpoint still has to embed. Until then they are found by words only.',
    }),
  },
  { title: 'KnowledgeBaseWithSources' },
);

export const addedSourcesSchema = object({ knowledge_base: baseSchema, url_sources: list(urlSourceSchema) });

export const docId = (description: string) => Type.String({ minLength: 1, maxLength: maxDocIdLength, description });

export const documentSchema = object(
  {
    doc_id: docId('ID of the document. An upsert with the same ID updates the document.'),
    kb_id: id('knowledge base'),
    org_id: id('organization'),
    text: nullable(Type.String()),
    url: nullable(Type.String()),
    status: oneOf(workStatuses),
    error: error(),
    metadata: metadata(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { title: 'KnowledgeDocument' },
);

export const queryFields = {
  query: Type.String({ maxLength: 10_000, pattern: '\\S' }),
  limit: optional(integer({ minimum: 1, maximum: 50, default: 5, description: 'Maximum number of passages' })),
};

export const passageSchema = object(
  {
    text: Type.String({ maxLength: 2000 }),
    highlights: list(list(integer({ minimum: 0 }), { minItems: 2, maxItems: 2 }), {
      description:
        'Where `text` has what matched the question: words in any form, compounds and corrected misspellings. Each entry is ' +
        '[start, end) in UTF-16 code units, in order and without overlaps; empty when the passage matched by meaning alone.',
    }),
    score: Type.Number({
      description: 'Relevance from 0 to 1. If the best score is below 0.5, the knowledge base hardly has an answer.',
    }),
    source_id: id('source'),
    source_name: Type.String({ description: 'Title or file name of the source' }),
    doc_id: docId('ID of the document that contains the passage'),
    url: nullable(Type.String()),
    heading: nullable(Type.String({ description: 'Headings above the passage, highest level first' })),
    page: nullable(integer({ minimum: 1, description: 'Page number; null for formats without pages' })),
  },
  { title: 'Passage' },
);

export const presentListItem = (base: KnowledgeBase) => ({
  id: base.id,
  name: base.name,
  org_id: base.orgId,
  document_count: base.documentCount,
  version: base.version,
  created_at: isoOf(base.createdAt),
});

export const presentSource = (source: CountedSource) => ({
  source_id: source.id,
  source_type: source.type,
  source_name: source.name,
  source_url: source.url,
  source_status: source.status,
  error: source.error,
  pages_waiting: source.pagesWaiting,
  created_timestamp: source.createdAt,
  updated_timestamp: source.updatedAt,
});

export const presentUrlSource = (source: UrlSource) => ({
  source_id: source.id,
  url: source.url,
  pages_found: source.pagesFound,
  pages_waiting: source.pagesWaiting,
  status: source.status,
  error: source.error,
  updated_timestamp: source.updatedAt,
});

export const presentBase = ({ base, counts, sources }: KnowledgeBaseWithSources) => ({
  knowledge_base_id: base.id,
  knowledge_base_name: base.name,
  status: statusOf(counts),
  enable_auto_refresh: base.enableAutoRefresh,
  knowledge_base_sources: sources.map(presentSource),
  version: base.version,
  created_timestamp: base.createdAt,
  last_updated_timestamp: base.updatedAt,
});

export const presentBaseWithSources = (base: KnowledgeBaseWithSites, { mode, pendingEmbeddings }: Retrieval) => ({
  ...presentBase(base),
  source_count: sumOf(base.counts),
  url_sources: base.urlSources.map(presentUrlSource),
  retrieval: mode,
  pending_embeddings: pendingEmbeddings,
});

export const presentDocument = (document: Document) => ({
  doc_id: document.docId,
  kb_id: document.baseId,
  org_id: document.orgId,
  text: document.text,
  url: document.url,
  status: document.status,
  error: document.error,
  metadata: document.metadata,
  created_at: isoOf(document.createdAt),
  updated_at: isoOf(document.updatedAt),
});
