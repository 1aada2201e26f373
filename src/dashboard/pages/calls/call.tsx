import { useEffect } from 'preact/hooks';
import { api, type Call, getCall, hangUpCall } from '../../client.ts';
import { Facts } from '../../parts/facts.tsx';
import { ActionProblem, Loaded, Page } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { Instant } from '../../parts/time.tsx';
import { useAction } from '../../state/action.ts';
import { useLive } from '../../state/live.ts';
import type { Params } from '../../state/pages.ts';
import { useResource } from '../../state/resource.ts';
import { isMember } from '../../state/session.ts';
import { calls } from '../../text/calls.ts';
import { common } from '../../text/en.ts';
import { duration, number } from '../../text/plural.ts';
import { Length } from './length.tsx';

export function CallPage({ params }: { params: Params }) {
  const id = params['id']!;
  const loaded = useResource(id, async (signal) => (await getCall(api, { params: { id }, signal })).data);
  const isLive = loaded.data !== undefined && loaded.data.state !== 'ended';
  // The list of live calls changes when this one does: that is the time to ask for it again.
  const live = useLive<{ in_flight: unknown[] }>(isLive ? 'calls' : undefined);
  useEffect(() => {
    if (live) loaded.reload();
  }, [live]);
  const action = useAction();
  const hangUp = (): Promise<boolean> =>
    action.run(
      async ({ idempotencyKey }) => loaded.set((await hangUpCall(api, { params: { id }, idempotencyKey })).data),
      calls.hungUp,
    );
  return (
    <Loaded of={loaded} heading="…">
      {(call) => (
        <Page
          heading={calls.callTo(call.phone ?? common.none)}
          actions={
            isLive &&
            isMember.value && (
              <button type="button" class="danger" onClick={() => void hangUp()}>
                {calls.hangUp}
              </button>
            )
          }
        >
          <ActionProblem of={action} />
          <CallFacts call={call} />
          <Transcript call={call} />
          {Object.keys(call.metadata).length > 0 && (
            <section>
              <h2>{calls.metadata}</h2>
              <pre tabIndex={0}>{JSON.stringify(call.metadata, null, 2)}</pre>
            </section>
          )}
        </Page>
      )}
    </Loaded>
  );
}

function CallFacts({ call }: { call: Call }) {
  const analysis = call.post_call_analysis;
  return (
    <Facts
      facts={[
        [calls.outcome, <Status value={call.status ?? call.state} />],
        [calls.fault, call.error_message],
        [calls.agent, <a href={`/agents/${call.agent_id}`}>{call.agent_name}</a>],
        [calls.campaign, call.campaign_id && <a href={`/campaigns/${call.campaign_id}`}>{calls.see}</a>],
        [
          calls.contact,
          call.contact_id && <a href={`/contacts/${call.contact_id}`}>{call.caller_name ?? calls.see}</a>,
        ],
        [calls.from, call.caller_number],
        [calls.to, call.callee_number],
        [calls.attempt, number(call.attempt)],
        [calls.started, call.started_at && <Instant at={call.started_at} relative />],
        [calls.answered, call.answered_at && <Instant at={call.answered_at} />],
        [calls.ended, call.ended_at && <Instant at={call.ended_at} />],
        [calls.duration, <Length call={call} />],
        [calls.reason, call.disconnect_reason && calls.reasons[call.disconnect_reason]],
        [calls.latency, call.call_latency_ms === null ? null : calls.milliseconds(call.call_latency_ms)],
        [calls.cost, number(call.cost_total)],
        [calls.summary, call.summary],
        [calls.sentiment, analysis?.sentiment],
        [calls.disposition, analysis?.disposition],
        [calls.goals, analysis && (analysis.goals_met ? common.yes : common.no)],
        [calls.nextSteps, analysis?.next_steps],
        [
          calls.recording,
          call.recording_url !== null && (
            <a href={call.recording_url} target="_blank" rel="noopener noreferrer">
              {calls.listen}
            </a>
          ),
        ],
        [
          calls.deliveries,
          call.state === 'ended' && <a href={`/deliveries?event_id=${call.call_id}`}>{calls.seeDeliveries}</a>,
        ],
      ]}
    />
  );
}

function Transcript({ call: { transcripts, state } }: { call: Call }) {
  return (
    <section>
      <h2 id="transcript">{calls.transcript}</h2>
      {transcripts.length === 0 && (
        <p class="quiet">{state === 'ended' ? calls.noTranscript : calls.transcriptLater}</p>
      )}
      <ol class="transcript" aria-labelledby="transcript">
        {transcripts.map(({ id, timestamp_ms: at, role, message }) => (
          <li key={id} class={role}>
            <span class="quiet">
              {calls.roles[role]} · {duration(at / 1000)}
            </span>
            <p dir="auto">{message.content}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
