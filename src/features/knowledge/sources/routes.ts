import { given } from '../../../base/given.ts';
import { operation } from '../../../kernel/route.ts';
import { pageReply } from '../../../kernel/paging.ts';
import { id, label, list, object, oneOf, optional, Type } from '../../../kernel/schema.ts';
import { validateFile, limitToOneFile, stageFile } from './file-upload.ts';
import { requireBase } from '../bases/service.ts';
import { sourceTypes, workStatuses } from '../bases/knowledge-base.ts';
import {
  type AddedSources,
  addFile,
  addSources,
  deleteSource,
  listSources,
  refreshSource,
  validateSources,
} from './service.ts';
import { addedSourcesSchema, presentBase, presentSource, presentUrlSource, sourceSchema } from '../wire.ts';

const tag = 'Knowledge bases';
const baseId = id('knowledge base');

const presentAdded = (added: AddedSources) => ({
  knowledge_base: presentBase(added),
  url_sources: added.urlSources.map(presentUrlSource),
});

export const listKnowledgeSources = operation({
  operationId: 'listKnowledgeSources',
  tag,
  summary: 'List the sources of a knowledge base, newest first',
  params: object({ kb_id: baseId }),
  query: object({
    status: optional(oneOf(workStatuses, { description: 'Only sources with this status' })),
    source_type: optional(oneOf(sourceTypes, { description: 'Only sources of this type' })),
  }),
  paged: 'cursor',
  data: list(sourceSchema),
  message: 'Sources fetched.',
  async handle(app, { caller, params, query: { status, source_type: type }, page }) {
    return pageReply(await listSources(app, caller.orgId, params.kb_id, given({ status, type }), page), presentSource);
  },
});

export const addKnowledgeSources = operation({
  operationId: 'addKnowledgeSources',
  tag,
  summary: 'Add texts and websites, or a file, to a knowledge base',
  params: object({ kb_id: baseId }),
  body: object(
    {
      knowledge_base_texts: optional(
        list(object({ title: label(500), text: Type.String({ pattern: '\\S' }) }), {
          description: 'At most 50 per request, of at most 1 MiB each, unless configured otherwise',
        }),
      ),
      knowledge_base_urls: optional(
        list(Type.String({ description: 'Public http or https URL' }), {
          description:
            'Start URLs of sites to crawl; a crawl stays on its host. At most 50 per request unless configured otherwise; a base has at most 500',
        }),
      ),
    },
    { title: 'NewKnowledgeSources' },
  ),
  bodyLimit: 'large',
  formFile: {
    description:
      'Texts and URLs as JSON, or one file as the part `file` of a form: PDF, DOCX, PPTX, XLSX, CSV, HTML, Markdown or plain ' +
      'text. The content decides the type, not the file name.',
  },
  example: {
    knowledge_base_texts: [{ title: 'Returns', text: 'What you bought may be returned within 30 days.' }],
    knowledge_base_urls: ['https://example.com/help'],
  },
  data: addedSourcesSchema,
  message: 'Sources added. They are being processed.',
  errors: ['conflict'],
  additionalFaults: (app, { body }) => validateSources(app, body),
  async prepare(app, { caller, params, file }) {
    if (!file) return undefined;
    return limitToOneFile(async () => {
      const bytes = await validateFile(file);
      await requireBase(app.db, caller.orgId, params.kb_id);
      return stageFile(app, caller.orgId, file, bytes);
    });
  },
  async handle(app, { caller, params, body }, staged) {
    const added = staged
      ? await addFile(app, caller.orgId, params.kb_id, staged)
      : await addSources(app, caller.orgId, params.kb_id, body);
    return { data: presentAdded(added) };
  },
});

export const refreshKnowledgeSource = operation({
  operationId: 'refreshKnowledgeSource',
  tag,
  summary: 'Read the web pages of a source again now',
  params: object({ kb_id: baseId, source_id: id('source') }),
  data: sourceSchema,
  message: 'The source is being read again.',
  errors: ['conflict'],
  async handle(app, { caller, params }) {
    return { data: presentSource(await refreshSource(app, caller.orgId, params.kb_id, params.source_id)) };
  },
});

export const deleteKnowledgeSource = operation({
  operationId: 'deleteKnowledgeSource',
  tag,
  summary: 'Delete a source with its documents',
  params: object({ kb_id: baseId, source_id: id('source') }),
  message: 'Source deleted.',
  async handle(app, { caller, params }) {
    await deleteSource(app, caller.orgId, params.kb_id, params.source_id);
    return {};
  },
});
