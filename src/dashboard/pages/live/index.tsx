import { useRef } from 'preact/hooks';
import { DayByHour, DayFigures } from '../../parts/day.tsx';
import { LatestCalls, useLatestCalls } from '../../parts/latest-calls.tsx';
import { type LiveCall, OnThePhone } from '../../parts/on-the-phone.tsx';
import { Page } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { wallTime } from '../../parts/time.tsx';
import { useDay } from '../../parts/use-day.ts';
import { isoOf } from '../../parts/wall-clock.ts';
import { serverNow, tick } from '../../state/clock.ts';
import { useLive } from '../../state/live.ts';
import type { Pages } from '../../state/pages.ts';
import { useKeptSession } from './keep-session.ts';
import { viewerZone } from '../../state/preferences.ts';
import { session, system } from '../../state/session.ts';
import { day as texts } from '../../text/day.ts';
import { shell } from '../../text/en.ts';
import { wall } from '../../text/live.ts';
import { number } from '../../text/plural.ts';

/** Nothing scrolls on a wall. That nobody is on the phone takes a row, too. */
const wallRows = 8;

/** For a television on the wall: read from five metres, without anything to press. */
function Wall() {
  const page = useRef<HTMLDivElement>(null);
  const calls = useLive<{ in_flight: readonly LiveCall[] }>('calls')?.in_flight;
  const latest = useLatestCalls();
  const day = useDay();
  useKeptSession();
  return (
    <div class="wall-page" ref={page}>
      <Page
        heading={session.value!.organization.name}
        state={
          <>
            <Status value="running" pill>
              {wall.calls(calls?.length ?? 0)}
            </Status>
            {system.value?.carrier.simulated && (
              <Status value="warn" pill>
                {shell.simulated.join('')}
              </Status>
            )}
          </>
        }
        actions={
          <>
            <button type="button" class="bare no-print" onClick={() => void page.current?.requestFullscreen()}>
              {wall.fullScreen}
            </button>
            <Clock />
          </>
        }
      >
        <DayFigures day={day} />
        <div class="columns two-one">
          <DayByHour day={day} still />
          <section>
            <div class="panel-head">
              <h2>{texts.onThePhone}</h2>
              <span class="quiet">{number(calls?.length ?? 0)}</span>
            </div>
            <OnThePhone calls={calls} links={false} />
            <LatestCalls calls={latest} onThePhone={Math.max(1, calls?.length ?? 0)} rows={wallRows} links={false} />
          </section>
        </div>
      </Page>
    </div>
  );
}

/** The server's clock, in the zone of the browser. */
function Clock() {
  void tick.value;
  const now = serverNow();
  if (now === undefined) return null;
  const iso = isoOf(now);
  return (
    <time class="clock" datetime={iso} title={viewerZone}>
      {wallTime(iso, viewerZone).slice(11)}
    </time>
  );
}

export const pages: Pages = { '/live': Wall };
