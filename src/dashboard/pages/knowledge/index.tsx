import type { Pages } from '../../state/pages.ts';
import { KnowledgeBasePage } from './base.tsx';
import { KnowledgePage } from './list.tsx';

export const pages: Pages = { '/knowledge': KnowledgePage, '/knowledge/:id': KnowledgeBasePage };
