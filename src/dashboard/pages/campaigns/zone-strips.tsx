import type { CampaignZone } from '../../client.ts';
import { isZone } from '../../parts/wall-clock.ts';
import { campaigns } from '../../text/campaigns.ts';
import { clockTime, type Window, zoneHours } from './week.ts';

/** More zones than these, with the fewest contacts, are summed up. */
const maxShown = 6;

type Props = { timezone: string; zones: readonly CampaignZone[]; window: Window; now: number };

/** When contacts in other time zones than the campaign's are called, on the clock of the campaign. */
export function ZoneStrips({ timezone, zones, window, now }: Props) {
  const others = zones.flatMap(({ timezone: zone, pending }) =>
    zone !== null && zone !== timezone && isZone(zone) ? [{ timezone: zone, pending }] : [],
  );
  const shown = zoneHours(others.slice(0, maxShown), { ...window, timezone }, now);
  if (shown.length === 0) return null;
  const rest = others.slice(maxShown);
  const percent = (hour: number): string => `${(hour / 24) * 100}%`;
  return (
    <section class="zones">
      <h3>{campaigns.otherZones(timezone)}</h3>
      <ul>
        {shown.map(({ timezone: zone, pending, from, to, parts }) => (
          <li key={zone}>
            <span>{campaigns.zoneHours(zone, pending, clockTime(from), clockTime(to))}</span>
            <svg class="zone" aria-hidden="true">
              <rect class="line" width="100%" height="8" rx="3" />
              {parts.map(([start, end]) => (
                <rect key={start} class="open" x={percent(start)} width={percent(end - start)} height="8" rx="3" />
              ))}
            </svg>
          </li>
        ))}
      </ul>
      {rest.length > 0 && (
        <p class="quiet">
          {campaigns.moreZones(
            rest.length,
            rest.reduce((sum, { pending }) => sum + pending, 0),
          )}
        </p>
      )}
    </section>
  );
}
