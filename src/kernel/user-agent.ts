import type { App } from './app.ts';

/** How parley names itself to whatever it asks (contract, section 11). */
export const userAgent = ({ version }: Pick<App, 'version'>): string => `parley/${version}`;
