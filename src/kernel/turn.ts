import { AppError } from '../base/errors.ts';
import type { App } from './app.ts';

export const notActive = (): AppError =>
  new AppError(
    'unavailable',
    'The database has not answered for 10 seconds, so another node may be active; nothing is sent.',
  );

/**
 * To be called directly before work outside of parley begins that no transaction guards.
 * @throws unavailable while another node may be active
 */
export function requireTurn({ mayAct }: Pick<App, 'mayAct'>): void {
  if (!mayAct()) throw notActive();
}
