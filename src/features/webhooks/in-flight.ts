import { appLocal } from '../../kernel/app-local.ts';

/**
 * The deliveries that are being sent just now. In memory, because one process owns the data: the status `delivering` then costs no
 * write, and none is left over after a crash.
 */
export const inFlightOf = appLocal(() => new Set<string>());
