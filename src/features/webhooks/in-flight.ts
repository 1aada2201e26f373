import type { App } from '../../kernel/app.ts';

/**
 * The deliveries that are being sent just now. In memory, because one process owns the data: the status `delivering` then costs no
 * write, and none is left over after a crash.
 */
const inFlight = new WeakMap<App, Set<string>>();

export function inFlightOf(app: App): Set<string> {
  const known = inFlight.get(app) ?? new Set<string>();
  inFlight.set(app, known);
  return known;
}
