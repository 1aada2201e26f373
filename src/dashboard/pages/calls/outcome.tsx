import type { Call } from '../../client.ts';
import { Status } from '../../parts/status.tsx';
import { calls } from '../../text/calls.ts';
import { ownRecording } from './recording.tsx';

/** The outcome in one word: a goal that was met says more than that the call was completed. */
export const outcomeOf = ({ status, state, post_call_analysis: analysis }: Call): string =>
  analysis?.goals_met ? 'goal_met' : (status ?? state);

/** What came of the call, before anything else. */
export function Outcome({ call }: { call: Call }) {
  const { summary, error_message: fault, post_call_analysis: analysis, state, recording_url: recording } = call;
  return (
    <section aria-label={calls.outcome}>
      <h2 class="visually-hidden">{calls.outcome}</h2>
      <p class="lead" dir="auto">
        {summary ?? fault ?? (state === 'ended' ? withoutSummary(call) : calls.live)}
      </p>
      <p class="legend">
        {analysis && (
          <>
            <Status value={analysis.goals_met ? 'goal_met' : 'paused'}>
              {analysis.goals_met ? calls.goalMet : calls.goalNotMet}
            </Status>
            <Status value={sentiments[analysis.sentiment]}>{calls.sentiments[analysis.sentiment]}</Status>
            <span>{calls.dispositionOf(analysis.disposition)}</span>
            {analysis.next_steps !== '' && (
              <span>
                {calls.next} <b dir="auto">{analysis.next_steps}</b>
              </span>
            )}
          </>
        )}
        {recording !== null && ownRecording(call) === undefined && (
          <a href={recording} target="_blank" rel="noopener noreferrer">
            {calls.listen}
          </a>
        )}
        {state === 'ended' && <a href={`/deliveries?event_id=${call.call_id}`}>{calls.seeDeliveries}</a>}
      </p>
    </section>
  );
}

/** Where nobody talked the outcome says it all. */
const withoutSummary = ({ status }: Call): string => (status && calls.unanswered[status]) || calls.noSummary;

/** Marks of the sentiments. */
const sentiments = { positive: 'completed', neutral: 'answered', negative: 'failed' } as const;
