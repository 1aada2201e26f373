import type { App } from '../../../kernel/app.ts';
import type { Agent } from '../../agents/agent.ts';
import { existingBases } from '../../knowledge/bases/service.ts';
import { type Passage, queryKnowledge } from '../../knowledge/query.ts';
import type { CallTool } from './tool.ts';

const parameters = {
  type: 'object',
  properties: {
    query: {
      type: 'string',
      minLength: 1,
      maxLength: 1000,
      description:
        'The question in the words that the documents are likely to use, synonyms among them, in the language of the documents',
    },
    limit: { type: 'integer', minimum: 1, maximum: 20, description: 'Maximum number of passages; 5 by default' },
  },
  required: ['query'],
  additionalProperties: false,
};

/** What the documents of an agent say to a question, best first. */
export async function askDocuments(
  app: App,
  { orgId, knowledgeBaseIds }: Pick<Agent, 'orgId' | 'knowledgeBaseIds'>,
  query: string,
  limit?: number,
): Promise<Passage[]> {
  if (knowledgeBaseIds.length === 0) return [];
  const baseIds = await existingBases(app.db, orgId, knowledgeBaseIds);
  return queryKnowledge(app, orgId, [...baseIds], query, limit);
}

/** Reading more than this aloud helps nobody, and models pay for every word. */
const maxPassageChars = 2000;

export const searchKnowledge: CallTool = {
  name: 'search_knowledge',
  define: (_app, agent) =>
    Promise.resolve(
      agent.knowledgeBaseIds.length === 0
        ? null
        : {
            name: 'search_knowledge',
            description:
              'Searches the documents of the organization, for questions about products, prices, opening hours or rules. Returns passages with their sources, best first; a best score below about 0.5 means that they hardly answer the question.',
            parameters,
          },
    ),
  async run(app, { agent }, { query, limit }: { query: string; limit?: number }) {
    const passages = await askDocuments(app, agent, query, limit);
    return {
      passages: passages.map(({ text, score, source_name: source, url, page }) => ({
        text: text.slice(0, maxPassageChars),
        score,
        source,
        url,
        page,
      })),
    };
  },
};
