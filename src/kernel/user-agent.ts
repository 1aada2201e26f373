import type { App } from './app.ts';

/** How parley names itself to whatever it asks. */
export const userAgent = ({ version }: Pick<App, 'version'>): string => `parley/${version}`;
