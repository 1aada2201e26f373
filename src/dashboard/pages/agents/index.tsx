import type { Pages } from '../../state/pages.ts';
import { AgentPage, NewAgentPage } from './agent.tsx';
import { AgentsPage } from './list.tsx';

export const pages: Pages = { '/agents': AgentsPage, '/agents/new': NewAgentPage, '/agents/:id': AgentPage };
