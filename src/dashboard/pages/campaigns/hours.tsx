import type { CampaignHour } from '../../client.ts';
import { HeatGrid } from '../../parts/few/heat-grid.tsx';
import { campaigns } from '../../text/campaigns.ts';
import { hoursOfDay, type Window } from './week.ts';

type Props = { hours: readonly CampaignHour[]; window: Window };

/** When people answer: a row for each weekday and a column for each hour of the window, in the campaign's zone. */
export function Hours({ hours, window }: Props) {
  const called = hours.filter(({ calls }) => calls > 0).map(({ hour }) => hour);
  if (called.length === 0) return null;
  // Contacts with a zone of their own are called at other hours, too.
  const columns = [...new Set([...hoursOfDay(window), ...called])].toSorted((a, b) => a - b);
  return <HeatGrid name={campaigns.byHour} cells={hours} columns={columns} note={campaigns.byHourText} />;
}
