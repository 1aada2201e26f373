import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api, type Call, getCall, isAborted } from '../../client.ts';

export type LiveCall = { call_session_id: string; state: string };

/** The live topic lists at most this many calls. When it is full, calls that are missing from it may be live, too. */
const maxLive = 100;

/**
 * The calls of a list, each as it is now: one whose state has changed since the list was loaded is asked for again and changes in its place.
 */
export function useLiveRows(rows: readonly Call[], inFlight: readonly LiveCall[] | undefined): Call[] {
  const asked = useSignal<{ rows: readonly Call[]; calls: ReadonlyMap<string, Call> }>({ rows, calls: new Map() });
  const newer = asked.value.rows === rows ? asked.value.calls : new Map<string, Call>();
  const shown = rows.map((row) => newer.get(row.call_id) ?? row);
  useEffect(() => {
    if (!inFlight) return undefined;
    const controller = new AbortController();
    void askFor(changedOf(shown, inFlight), controller.signal);
    return () => controller.abort();
  }, [inFlight, rows]);

  async function askFor(ids: readonly string[], signal: AbortSignal): Promise<void> {
    const calls = new Map(newer);
    for (const id of ids) {
      try {
        calls.set(id, (await getCall(api, { params: { id }, signal })).data);
      } catch (error) {
        // The row stays as it is until the next event, which asks for it again.
        if (isAborted(error)) return;
        continue;
      }
      asked.value = { rows, calls: new Map(calls) };
    }
  }

  return shown;
}

/** The calls whose state is another one than is shown. */
function changedOf(shown: readonly Call[], inFlight: readonly LiveCall[]): string[] {
  const states = new Map(inFlight.map(({ call_session_id: id, state }) => [id, state]));
  const isWhole = inFlight.length < maxLive;
  return shown
    .filter(({ call_id: id, state }) => state !== 'ended' && (states.has(id) ? states.get(id) !== state : isWhole))
    .map(({ call_id: id }) => id);
}
