import { countryZones } from '../../base/country-zones.generated.ts';
import { memoize } from '../../base/memoize.ts';
import { countriesByCallingCode, countryOf } from '../../base/written-phone.ts';

export const zoneSources = ['contact', 'country', 'campaign'] as const;
export type PersonZone = { timezone: string; source: (typeof zoneSources)[number] };

const zoneOf = (country: string | null): string => countryZones[country ?? ''] ?? '';

/** The zone of the countries of each calling code; null where they differ. */
const zonesByCallingCode = new Map(
  [...countriesByCallingCode].map(([code, countries]) => {
    const zones = new Set(countries.map(zoneOf));
    return [code, zones.size === 1 ? [...zones][0]! : null];
  }),
);

/** Reading a number takes some 20 µs, and the dialer asks about the same numbers again. */
const zoneOfNumber = memoize(10_000, (phone): string => zoneOf(countryOf(phone)));

/** The time zone of a number's country; `''` if the country has several, or the number no country. */
export function countryZone(phone: string): string {
  for (const digits of [1, 2, 3]) {
    const zone = zonesByCallingCode.get(phone.slice(1, 1 + digits));
    if (zone !== undefined) return zone ?? zoneOfNumber(phone);
  }
  return '';
}

/**
 * The time zone that a person's days and hours are counted in: the contact's (`''` if it has none), else that of the number's country, if the
 * country has one zone, else the campaign's.
 */
export function personZone(contactZone: string, phone: string, campaignZone: string): PersonZone {
  if (contactZone !== '') return { timezone: contactZone, source: 'contact' };
  const timezone = countryZone(phone);
  return timezone === '' ? { timezone: campaignZone, source: 'campaign' } : { timezone, source: 'country' };
}
