/**
 * Writes src/base/country-zones.generated.ts: the time zone of each country that has one. Reads the zone.tab of the Debian package tzdata. Not
 * part of `npm run generate`, so that a build does not depend on the machine's tzdata: run `node .build/generate-country-zones.ts`, and
 * commit what it writes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Zones of a country count as one if their clocks agree in these years: Germany has Europe/Berlin and Europe/Busingen. */
const [fromYear, toYear] = [2026, 2037];
const source = '/usr/share/zoneinfo/zone.tab';
const target = join(import.meta.dirname, '../src/base/country-zones.generated.ts');

function offsetsOf(zone: string): string {
  const offsets: number[] = [];
  const end = Temporal.PlainDate.from({ year: toYear + 1, month: 1, day: 1 });
  for (let day = Temporal.PlainDate.from({ year: fromYear, month: 1, day: 1 }); day.year < end.year;) {
    offsets.push(day.toZonedDateTime(zone).offsetNanoseconds);
    day = day.add({ days: 1 });
  }
  return offsets.join();
}

const zones = new Map<string, string[]>();
for (const line of readFileSync(source, 'utf8').split('\n')) {
  const [country, , zone] = line.split('\t');
  if (line.startsWith('#') || country === undefined || zone === undefined) continue;
  zones.set(country, [...(zones.get(country) ?? []), zone]);
}
const single = [...zones].filter(([, names]) => new Set(names.map(offsetsOf)).size === 1);
const entries = single.map(([country, [zone]]) => `  ${country}: '${zone}',`).toSorted();
writeFileSync(
  target,
  `// Written by .build/generate-country-zones.ts from the zone.tab of tzdata.

/** The time zone of each country (ISO 3166-1 alpha-2) that has one. Zones whose clocks agree from ${fromYear} to ${toYear} are one. */
export const countryZones: Readonly<Record<string, string>> = {
${entries.join('\n')}
};
`,
);
