import type { Pages } from '../../state/pages.ts';
import { CallPage } from './call.tsx';
import { CallsPage } from './list.tsx';

export const pages: Pages = { '/calls': CallsPage, '/calls/:id': CallPage };
