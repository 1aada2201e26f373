import { useLive } from '../state/live.ts';
import { day as texts } from '../text/day.ts';
import { clock } from '../text/plural.ts';
import { Status } from './status.tsx';

/** An entry of the live topic `latest`. */
type LatestCall = {
  call_session_id: string;
  phone: string;
  caller_name: string | null;
  status: string;
  goals_met: boolean | null;
  duration_sec: number;
  agent_name: string;
};

/** The newest calls that are over; undefined before the first event. */
export const useLatestCalls = (): readonly LatestCall[] | undefined =>
  useLive<{ calls: readonly LatestCall[] }>('latest')?.calls;

type Props = {
  calls: readonly LatestCall[] | undefined;
  onThePhone: number;
  /** Of the panel, together with those who are on the phone. */
  rows: number;
  /** Shown even if more are on the phone. */
  least?: number;
  links?: boolean;
};

/** The calls that ended last, in the room that those on the phone leave. */
export function LatestCalls({ calls = [], onThePhone, rows, least = 0, links = true }: Props) {
  const shown = calls.slice(0, Math.max(least, rows - onThePhone));
  if (shown.length === 0) return null;
  return (
    <>
      <h3>{texts.latest}</h3>
      <ol class="now-list" aria-label={texts.latest}>
        {shown.map((call) => {
          const name = call.caller_name ?? call.phone;
          return (
            <li key={call.call_session_id}>
              {links ? <a href={`/calls/${call.call_session_id}`}>{name}</a> : <b>{name}</b>}
              <span>{clock(call.duration_sec)}</span>
              <span class="small quiet">{call.agent_name}</span>
              <span class="small">
                <Status value={call.goals_met === true ? 'goal_met' : call.status} />
              </span>
            </li>
          );
        })}
      </ol>
    </>
  );
}
