import { textIn } from '../time.tsx';
import { isoOf } from '../wall-clock.ts';
import { serverNow } from '../../state/clock.ts';
import { zone } from '../../state/preferences.ts';
import { common } from '../../text/en.ts';

const timeLength = 'hh:mm'.length;

/** An instant near the present, in the zone that the heading names. */
export function Moment({ at, none }: { at: string | null; none: string }) {
  if (at === null) return <>{none}</>;
  const [text, now] = [textIn(at, zone.value), serverNow()];
  const today = now === undefined ? '' : textIn(isoOf(now), zone.value);
  const isToday = text.slice(0, -timeLength) === today.slice(0, -timeLength);
  return (
    <time datetime={at} title={common.inZone(text, zone.value)}>
      {isToday ? common.today(text.slice(-timeLength)) : text}
    </time>
  );
}
