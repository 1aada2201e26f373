import type { Fault } from '../../base/errors.ts';
import type { App } from '../../kernel/app.ts';
import { nodeState } from '../../kernel/node.ts';

/** The carriers of this installation, each with sentences that name the settings it lacks. */
export type CarrierChoices = ReadonlyMap<string, readonly string[]>;

const choices = nodeState('carrierChoices', (): { known: CarrierChoices } => ({ known: new Map() }));

/** Called at the start by the feature `calls`, which has the carriers; numbers must not import it. */
export const setCarrierChoices = (app: App, known: CarrierChoices): void => void (choices(app).known = known);

/** Why a number cannot use this carrier; null means the carrier of `carrier.driver`, which the start has checked. */
export function carrierFaults(app: App, carrier: string | null | undefined): Fault[] {
  if (carrier === undefined || carrier === null) return [];
  const { known } = choices(app);
  const missing = known.get(carrier);
  if (missing === undefined)
    return [{ path: 'carrier', message: `must be null or one of ${[...known.keys()].join(', ')}` }];
  return missing.length === 0 ? [] : [{ path: 'carrier', message: missing.join(' ') }];
}
