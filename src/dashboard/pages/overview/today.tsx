import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { api, listCalls } from '../../client.ts';
import { Loaded } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import { instantOf, isoOf, wallClockOf } from '../../parts/wall-clock.ts';
import { serverNow } from '../../state/clock.ts';
import { useLive } from '../../state/live.ts';
import { zone } from '../../state/preferences.ts';
import { isSettled, useResource } from '../../state/resource.ts';
import { number } from '../../text/plural.ts';
import { overview } from '../../text/overview.ts';
import { reloadEveryMs } from './running.tsx';

const statuses = ['completed', 'no_answer', 'busy', 'voicemail', 'failed'] as const;

/** When the present day of the server's clock began in this zone. */
function startOfDay(timeZone: string): string | undefined {
  const now = serverNow();
  if (now === undefined) return undefined;
  const today = wallClockOf(isoOf(now), timeZone).slice(0, 10);
  return instantOf(`${today}T00:00`, timeZone);
}

async function countsSince(since: string | undefined, signal: AbortSignal) {
  const from = since === undefined ? {} : { since };
  const count = async (status: (typeof statuses)[number]) => ({
    status,
    calls: (await listCalls(api, { query: { ...from, status: [status], limit: 1, offset: 0 }, signal })).meta.total,
  });
  return Promise.all(statuses.map(count));
}

export function Today({ children }: { children: ComponentChildren }) {
  const counts = useResource(`today ${zone.value}`, (signal) => countsSince(startOfDay(zone.value), signal));
  const isBusy = (useLive<{ in_flight: number }>('overview')?.in_flight ?? 0) > 0;
  useEffect(() => {
    if (!isBusy) return undefined;
    const timer = setInterval(counts.reload, reloadEveryMs);
    return () => {
      clearInterval(timer);
      counts.reload();
    };
  }, [isBusy]);
  return (
    <>
      <section>
        <h2>{overview.today}</h2>
        <Loaded of={counts}>
          {(rows) => (
            <Table
              caption={overview.today}
              rows={rows}
              rowKey={({ status }) => status}
              columns={[
                { name: overview.outcome, cell: ({ status }) => <Status value={status} /> },
                { name: overview.number, cell: ({ calls }) => number(calls), numeric: true },
              ]}
            />
          )}
        </Loaded>
      </section>
      {isSettled(counts) && children}
    </>
  );
}
