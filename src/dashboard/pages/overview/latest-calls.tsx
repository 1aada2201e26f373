import { Status } from '../../parts/status.tsx';
import { overview } from '../../text/overview.ts';
import { clock } from '../../text/plural.ts';

/** An entry of the live topic `latest`. */
export type LatestCall = {
  call_session_id: string;
  phone: string;
  caller_name: string | null;
  status: string;
  goals_met: boolean | null;
  duration_sec: number;
  agent_name: string;
};

/** Rows of the panel, together with those who are on the phone. */
const maxRows = 8;
const minShown = 3;

/** The calls that ended last, in the room that those on the phone leave. */
export function LatestCalls({ calls, onThePhone }: { calls: readonly LatestCall[]; onThePhone: number }) {
  if (calls.length === 0) return null;
  return (
    <>
      <h3>{overview.latest}</h3>
      <ol class="now-list" aria-label={overview.latest}>
        {calls.slice(0, Math.max(minShown, maxRows - onThePhone)).map((call) => (
          <li key={call.call_session_id}>
            <a href={`/calls/${call.call_session_id}`}>{call.caller_name ?? call.phone}</a>
            <span>{clock(call.duration_sec)}</span>
            <span class="small quiet">{call.agent_name}</span>
            <span class="small">
              <Status value={call.goals_met === true ? 'goal_met' : call.status} />
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
