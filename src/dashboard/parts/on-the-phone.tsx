import { day as texts } from '../text/day.ts';
import { common } from '../text/en.ts';
import { clock } from '../text/plural.ts';
import { serverNow, tick } from '../state/clock.ts';
import { Status } from './status.tsx';

/** An entry of the live topic `calls`. */
export type LiveCall = {
  call_session_id: string;
  phone: string;
  caller_name: string | null;
  state: string;
  created_at: string;
  started_at: string | null;
  campaign_name?: string | null;
  agent_name?: string | null;
};

const maxShown = 8;

type Props = { calls: readonly LiveCall[] | undefined; links?: boolean; most?: number };

/** Who is on the phone, longest first, so that a call that begins moves no row. */
export function OnThePhone({ calls = [], links = true, most = maxShown }: Props) {
  void tick.value;
  const now = serverNow();
  const sorted = calls.toReversed();
  return (
    <>
      <ol class="now-list" aria-label={texts.onThePhone}>
        {sorted.slice(0, most).map((call) => {
          const name = call.caller_name ?? call.phone;
          const since = Date.parse(call.started_at ?? call.created_at);
          return (
            <li key={call.call_session_id}>
              {links ? <a href={`/calls/${call.call_session_id}`}>{name}</a> : <b>{name}</b>}
              <span>{now === undefined ? common.none : clock((now - since) / 1000)}</span>
              <span class="small quiet">{call.campaign_name ?? call.agent_name ?? call.phone}</span>
              <span class="small">
                <Status value={call.state} />
              </span>
            </li>
          );
        })}
      </ol>
      {sorted.length === 0 && <p class="quiet">{texts.nobody}</p>}
      {sorted.length > most && <p class="quiet">{texts.more(sorted.length - most)}</p>}
    </>
  );
}
