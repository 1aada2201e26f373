import { perApp } from '../../kernel/per-app.ts';

/**
 * The deliveries that are being sent just now. In memory, because one process owns the data: the status `delivering` then costs no
 * write, and none is left over after a crash.
 */
export const inFlightOf = perApp(() => new Set<string>());
