import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { DayByHour, DayFigures } from '../../parts/day.tsx';
import { SpanChoice } from '../../parts/few/span-choice.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LatestCalls, useLatestCalls } from '../../parts/latest-calls.tsx';
import { type LiveCall, OnThePhone } from '../../parts/on-the-phone.tsx';
import { Loaded, Page } from '../../parts/page.tsx';
import { textIn } from '../../parts/time.tsx';
import { useDay } from '../../parts/use-day.ts';
import { isoOf } from '../../parts/wall-clock.ts';
import { serverNow, tick } from '../../state/clock.ts';
import { useLive } from '../../state/live.ts';
import type { Pages } from '../../state/pages.ts';
import { zone } from '../../state/preferences.ts';
import { isSettled, useResource } from '../../state/resource.ts';
import { isMember } from '../../state/session.ts';
import { day as dayTexts } from '../../text/day.ts';
import { common, pages as names } from '../../text/en.ts';
import { overview } from '../../text/overview.ts';
import { AgentsToday } from './agents.tsx';
import { Campaigns } from './campaigns.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Incidents, toldAbove } from './incidents.tsx';
import { type Live, type LiveIncidents, loadOutlooks, loadOverview } from './load.ts';
import { NextDay } from './next-day.tsx';
import { Notices } from './notices.tsx';
import { ByDay, chosenSpan, SpanFigures, spans, useDays, usualSpan } from './span.tsx';

/** While something happens, what is not live is asked for again after this time. */
const reloadEveryMs = 10_000;
const maxWaitMs = 2000;
/** How long the page waits for the outlooks of campaigns. They take planning, and move nothing when they come later. */
const maxWaitAheadMs = 400;

function OverviewPage() {
  return (
    <Page
      heading={names.overview}
      about={<Now />}
      actions={
        <>
          <SpanChoice spans={spans} chosen={chosenSpan()} usual={usualSpan} />
          <a class={isMember.value ? 'button' : undefined} href="/live">
            <Icon name="wall" />
            {overview.wall}
          </a>
          {isMember.value && (
            <a class="button primary" href="/campaigns/new">
              <Icon name="plus" />
              {overview.newCampaign}
            </a>
          )}
        </>
      }
    >
      <Content />
    </Page>
  );
}

/** So many rows that the panel is about as high as the chart beside it. */
const panelRows = 6;
const maxOnThePhone = 4;

/** The server's time in the zone in which times are shown. */
function Now() {
  void tick.value;
  const now = serverNow();
  if (now === undefined) return <>…</>;
  const at = isoOf(now);
  return <time datetime={at}>{common.inZone(textIn(at, zone.value), zone.value)}</time>;
}

/** Everything appears at once, so that nothing that is shown moves. */
function Content() {
  const loaded = useResource('overview', loadOverview);
  const live = useLive<Live>('overview');
  const incidents = useLive<LiveIncidents>('incidents');
  const calls = useLive<{ in_flight: readonly LiveCall[] }>('calls')?.in_flight;
  const latest = useLatestCalls();
  const day = useDay();
  const ids = loaded.data?.shown.map(({ id }) => id) ?? [];
  const outlooks = useResource(`outlook ${ids.join()}`, (signal) => loadOutlooks(ids, signal));
  const days = Number(chosenSpan());
  const span = useDays(days);
  const spanFigures = span.data?.days === days ? span.data.figures : undefined;
  useReloads(live, () => {
    loaded.reload();
    span.reload();
    outlooks.reload();
  });
  const told = toldAbove(live, incidents);
  const hasCalled = (calls?.length ?? 0) + (latest?.length ?? 0) > 0;
  const isLate = useLate(maxWaitMs);
  const isAheadLate = useLate(maxWaitAheadMs);
  const isAhead = isAheadLate || ids.length === 0 || isSettled(outlooks);
  if (loaded.data && !isLate && (!live || !incidents || !day || !latest || !isAhead || !isSettled(span)))
    return <Loaded of={{ ...loaded, data: undefined }}>{() => null}</Loaded>;
  return (
    <Loaded of={loaded}>
      {(loading) => (
        <>
          <Incidents loading={loading} live={live} now={incidents} />
          {loading.firstSteps && isMember.value && <FirstSteps done={loading.firstSteps} hasCalled={hasCalled} />}
          {days === 1 ? <DayFigures day={day} /> : <SpanFigures days={days} figures={spanFigures} />}
          <div class="columns two-one day">
            {days === 1 ? <DayByHour day={day} /> : <ByDay days={days} figures={spanFigures} />}
            <section>
              <div class="panel-head">
                <h2>{dayTexts.onThePhone}</h2>
                <a href="/calls?state=live">{dayTexts.allCalls(live?.in_flight ?? 0)}</a>
              </div>
              <OnThePhone calls={calls} most={maxOnThePhone} />
              <LatestCalls calls={latest} onThePhone={calls?.length ?? 0} rows={panelRows} least={2} />
            </section>
          </div>
          <Campaigns campaigns={loading.shown} total={loading.total} outlooks={outlooks.data} />
          {!loading.firstSteps && (
            <div class="columns">
              <AgentsToday day={day} />
              <NextDay campaigns={loading.shown} outlooks={outlooks.data} />
            </div>
          )}
          <Notices notices={loading.notices.filter(({ kind }) => !told.has(kind))} changed={loaded.reload} />
        </>
      )}
    </Loaded>
  );
}

/** Whether this time is over since the page was opened: what is missing then does not hold up the rest. */
function useLate(ms: number): boolean {
  const isLate = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => void (isLate.value = true), ms);
    return () => clearTimeout(timer);
  }, []);
  return isLate.value;
}

/** Asks again when something has changed that the live topic counts, and from time to time while calls go on. */
function useReloads(live: Live | undefined, reload: () => void): void {
  const changes = live && [live.failing_endpoints, live.running_campaigns, live.unread_notices].join();
  const known = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (changes === undefined) return;
    if (known.current !== undefined && known.current !== changes) reload();
    known.current = changes;
  }, [changes]);
  const isBusy = (live?.in_flight ?? 0) > 0;
  useEffect(() => {
    if (!isBusy) return undefined;
    const timer = setInterval(reload, reloadEveryMs);
    return () => clearInterval(timer);
  }, [isBusy]);
}

export const pages: Pages = { '/': OverviewPage };
