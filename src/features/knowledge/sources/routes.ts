import { operation } from '../../../kernel/route.ts';
import { id, label, list, object, optional, Type } from '../../../kernel/schema.ts';
import { judgeFile, oneFileAtATime, stageFile } from './file-upload.ts';
import { baseOf } from '../bases/service.ts';
import { type Added, addFile, addSources, deleteSource, sourcesFaults } from './service.ts';
import { addedSchema, presentBase, presentUrlSource } from '../wire.ts';

const tag = 'Knowledge bases';
const baseId = id('knowledge base');

const presentAdded = (added: Added) => ({
  knowledge_base: presentBase(added),
  url_sources: added.urlSources.filter(({ id: sourceId }) => added.urlSourceIds.has(sourceId)).map(presentUrlSource),
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
          description: 'Not more than 50 a call, of 1 MiB each, unless configured otherwise',
        }),
      ),
      knowledge_base_urls: optional(
        list(Type.String({ description: 'Public http or https URL' }), {
          description:
            'Sites to crawl from there, on the same host; not more than 50 a call unless configured otherwise',
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
  data: addedSchema,
  message: 'Sources added. They are being processed.',
  additionalFaults: (app, { body }) => sourcesFaults(app, body),
  async prepare(app, { caller, params, file }) {
    if (!file) return undefined;
    return oneFileAtATime(async () => {
      const bytes = await judgeFile(file);
      await baseOf(app.db, caller.orgId, params.kb_id);
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
