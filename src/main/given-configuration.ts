import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../base/config/schema.ts';
import { valueAt } from '../base/config/settings.ts';
import { AppError } from '../base/errors.ts';
import { createCarriers } from '../features/calls/carriers/carriers.ts';
import { carrierDrivers } from '../features/calls/carriers/index.ts';
import { SETTINGS } from './configuration.ts';
import { type Finding, finding } from './finding.ts';
import type { TaskContext } from './task-context.ts';

/** More names would fill the screen. */
const maxNamed = 10;

/**
 * The context for checks of a configuration that was given to a command, and which may not be that of the running server; with a finding
 * that says so if it is not. Drivers of such a configuration are not started.
 * @throws AppError when the configuration lacks settings that this version has
 */
export function contextFor(context: TaskContext, given: Config): { context: TaskContext; findings: Finding[] } {
  const { app } = context;
  const differing = pathsThatDiffer(app.config, given);
  if (differing.length === 0) return { context, findings: [] };
  const carriers = createCarriers(carrierDrivers, given, app.baseUrl);
  const judged = { ...context, carriers, app: Object.freeze({ ...app, config: given }) };
  return { context: judged, findings: [differenceFinding(differing)] };
}

/** The directory is left out: it was found by it, and may be written in another way. */
export function pathsThatDiffer(running: Config, given: Config): string[] {
  try {
    return [...SETTINGS.keys()].filter(
      (path) => path !== 'data' && !isDeepStrictEqual(valueAt(running, path), valueAt(given, path)),
    );
  } catch (error) {
    throw new AppError('invalid', 'The configuration is that of another version of parley.', { cause: error });
  }
}

function differenceFinding(paths: readonly string[]): Finding {
  const named = paths.slice(0, maxNamed).join(', ');
  const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : '';
  return finding(
    'settings',
    'warn',
    `the running server has other values of ${named}${more}; judged are the given ones`,
  );
}
