import type { Campaign } from '../../client.ts';
import { Moment } from '../../parts/few/moment.tsx';
import { serverNow } from '../../state/clock.ts';
import { common } from '../../text/en.ts';
import { overview } from '../../text/overview.ts';
import { aheadOf } from './ahead.ts';
import type { Outlooks } from './load.ts';

const maxShown = 6;

/** When the campaigns that run open, close and finish within a day. `outlooks` is undefined until they are known. */
export function NextDay({ campaigns, outlooks }: { campaigns: readonly Campaign[]; outlooks: Outlooks | undefined }) {
  const now = serverNow();
  const isKnown = outlooks !== undefined && now !== undefined;
  const events = isKnown ? aheadOf(campaigns, outlooks, now) : [];
  return (
    <section>
      <h2>{overview.nextDay}</h2>
      {events.length === 0 ? (
        <p class="quiet">{isKnown ? overview.nothingAhead : '…'}</p>
      ) : (
        <ol class="now-list" aria-label={overview.nextDay}>
          {events.slice(0, maxShown).map(({ id, name, at, what, waiting }) => (
            <li key={`${id} ${what}`}>
              <a href={`/campaigns/${id}`} dir="auto">
                {name}
              </a>
              <Moment at={at} none={common.none} />
              <span class="small quiet">{overview.ahead[what](waiting)}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
