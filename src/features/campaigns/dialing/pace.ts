import type { App } from '../../../kernel/app.ts';
import { paceAfter } from '../../calls/pacing.ts';
import type { Dialing } from './dialing-store.ts';

/** Instants (Unix milliseconds, with fractions) from which campaign, number and organization allow their next call. */
type Paces = { paceAt: number; numberPaceAt: number; orgPaceAt: number };

/** The paces after a call of the campaign that starts at `now`. */
export const pacesAfter = (
  app: App,
  { campaign, org }: Pick<Dialing, 'campaign' | 'org'>,
  number: NonNullable<Dialing['number']>,
  now: number,
): Paces => ({
  paceAt: paceAfter(campaign.paceAt, now, campaign.maxCps),
  numberPaceAt: paceAfter(number.paceAt, now, number.maxCps),
  orgPaceAt: paceAfter(org.paceAt, now, app.config.limits.organization.max_cps),
});
