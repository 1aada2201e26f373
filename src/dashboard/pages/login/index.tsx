import type { Pages } from '../../state/pages.ts';
import { LogInPage } from './login.tsx';
import { SetUpPage } from './setup.tsx';

export const pages: Pages = { '/login': LogInPage, '/setup': SetUpPage };
