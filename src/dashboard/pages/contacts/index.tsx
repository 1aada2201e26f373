import type { Pages } from '../../state/pages.ts';
import { ContactPage } from './contact.tsx';
import { ImportPage } from './import.tsx';
import { ContactsPage } from './list.tsx';

export const pages: Pages = { '/contacts': ContactsPage, '/contacts/import': ImportPage, '/contacts/:id': ContactPage };
