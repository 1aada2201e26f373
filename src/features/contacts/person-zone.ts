import { countryZones } from '../../base/country-zones.generated.ts';
import { memoize } from '../../base/memoize.ts';
import { countryOf } from '../../base/written-phone.ts';

export const zoneSources = ['contact', 'country', 'campaign'] as const;
export type PersonZone = { timezone: string; source: (typeof zoneSources)[number] };

/** Reading a number's country takes some 20 µs, and the dialer asks about the same numbers again. */
const countryZone = memoize(10_000, (phone): string => countryZones[countryOf(phone) ?? ''] ?? '');

/**
 * The time zone that a person's days and hours are counted in: the contact's (`''` if it has none), else that of the number's country, if the
 * country has one zone, else the campaign's.
 */
export function personZone(contactZone: string, phone: string, campaignZone: string): PersonZone {
  if (contactZone !== '') return { timezone: contactZone, source: 'contact' };
  const timezone = countryZone(phone);
  return timezone === '' ? { timezone: campaignZone, source: 'campaign' } : { timezone, source: 'country' };
}
