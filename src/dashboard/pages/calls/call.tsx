import { useEffect } from 'preact/hooks';
import {
  api,
  type Call,
  type CallTimelineEntry,
  type CallTurn,
  getCall,
  getCallTimeline,
  getCallTurns,
  getCampaign,
} from '../../client.ts';
import { Facts } from '../../parts/facts.tsx';
import { Loaded, Page } from '../../parts/page.tsx';
import { Status, valueText } from '../../parts/status.tsx';
import { Instant } from '../../parts/time.tsx';
import { usePlayer } from './player.ts';
import type { Params } from '../../state/pages.ts';
import { type Resource, useResource } from '../../state/resource.ts';
import { isMember } from '../../state/session.ts';
import { calls } from '../../text/calls.ts';
import { common, pages as names } from '../../text/en.ts';
import { number } from '../../text/plural.ts';
import { HangUp, Help } from './help.tsx';
import { Length } from './length.tsx';
import { useLiveCall } from './live-call.ts';
import { ownRecording, Recording } from './recording.tsx';
import { Outcome, outcomeOf } from './outcome.tsx';
import { ReplayButton, versionToReplay } from './replay.tsx';
import { TimeWent } from './time-went.tsx';
import { Timeline } from './timeline.tsx';
import { Transcript } from './transcript.tsx';
import { WhoSpoke } from './who-spoke.tsx';

type Loading = {
  call: Call;
  timeline: readonly CallTimelineEntry[];
  turns: readonly CallTurn[];
  replayVersion: number | undefined;
};

async function load(id: string, signal: AbortSignal): Promise<Loading> {
  const params = { id };
  const call = getCall(api, { params, signal });
  const [{ data }, timeline, turns, replayVersion] = await Promise.all([
    call,
    getCallTimeline(api, { params, signal }),
    getCallTurns(api, { params, signal }),
    call.then((answer) => versionToReplay(answer.data, signal)),
  ]);
  return { call: data, timeline: timeline.data, turns: turns.data, replayVersion };
}

export function CallPage({ params }: { params: Params }) {
  const id = params['id']!;
  const loaded = useResource(id, (signal) => load(id, signal));
  const isLive = loaded.data !== undefined && loaded.data.call.state !== 'ended';
  const live = useLiveCall(isLive ? id : undefined);
  const state = live && `${live.state} ${live.status}`;
  // Transcript and timeline come by the live stream; all other fields change with the state alone.
  useEffect(() => {
    if (state !== undefined) loaded.reload();
  }, [state]);
  return (
    <Loaded of={loaded} heading="…">
      {({ call, timeline, turns, replayVersion }) => (
        <Shown
          call={live && isLive ? { ...call, transcripts: [...live.transcript] } : call}
          timeline={live && isLive ? live.timeline : timeline}
          turns={turns}
          replayVersion={replayVersion}
          loaded={{
            ...loaded,
            data: call,
            set: (fresh) => loaded.set({ call: fresh, timeline, turns, replayVersion }),
          }}
        />
      )}
    </Loaded>
  );
}

const headingOf = ({ channel, direction, phone, agent_name: agent }: Call): string => {
  if (channel === 'web') return calls.testCall(agent);
  return (direction === 'inbound' ? calls.callFrom : calls.callTo)(phone ?? common.none);
};

function Shown({ call, timeline, turns, replayVersion, loaded }: Loading & { loaded: Resource<Call> }) {
  const isLive = call.state !== 'ended';
  const recording = ownRecording(call);
  const player = usePlayer(recording);
  return (
    <Page
      heading={headingOf(call)}
      crumb={{ href: '/calls', name: names.calls }}
      state={<Status value={outcomeOf(call)} pill />}
      about={<About call={call} />}
      actions={
        isMember.value &&
        (isLive ? (
          <HangUp call={call} loaded={loaded} />
        ) : (
          replayVersion !== undefined && <ReplayButton call={call} version={replayVersion} />
        ))
      }
    >
      <Outcome call={call} />
      {recording !== undefined && <Recording call={call} turns={turns} player={player} />}
      {recording === undefined && !isLive && <WhoSpoke call={call} turns={turns} />}
      {isLive && isMember.value && <Help call={call} loaded={loaded} />}
      <div class="columns two-one">
        <div class="stack">
          <Transcript call={call} turns={turns} player={player} />
          {Object.keys(call.metadata).length > 0 && (
            <section>
              <h2>{calls.metadata}</h2>
              <pre tabIndex={0}>{JSON.stringify(call.metadata, null, 2)}</pre>
            </section>
          )}
        </div>
        <div class="stack">
          {(call.answered_at !== null || turns.length > 0) && <TimeWent turns={turns} isLive={isLive} />}
          <Timeline call={call} entries={timeline} />
          <CallFacts call={call} />
        </div>
      </div>
    </Page>
  );
}

/** Who talked with whom, when and how long. */
function About({ call }: { call: Call }) {
  return (
    <>
      {call.contact_id !== null && (
        <>
          <a href={`/contacts/${call.contact_id}`} dir="auto">
            {call.caller_name ?? calls.contact}
          </a>
          {' · '}
        </>
      )}
      <a href={`/agents/${call.agent_id}`} dir="auto">
        {call.agent_name}
      </a>
      {' · '}
      <Instant at={call.started_at ?? call.created_at} seconds />
      {' · '}
      <Length call={call} />
    </>
  );
}

/** Named by the campaign as soon as its name is known; it may have been deleted. */
function CampaignLink({ id }: { id: string }) {
  const campaign = useResource(`campaign ${id}`, (signal) => getCampaign(api, { params: { id }, signal }));
  return <a href={`/campaigns/${id}`}>{campaign.data?.data.name ?? calls.seeCampaign}</a>;
}

function CallFacts({ call }: { call: Call }) {
  return (
    <section>
      <h2>{calls.facts}</h2>
      <Facts
        facts={[
          [calls.outcome, valueText(call.status ?? call.state)],
          [calls.fault, call.error_message],
          [calls.agent, <a href={`/agents/${call.agent_id}`}>{call.agent_name}</a>],
          [calls.campaign, call.campaign_id && <CampaignLink id={call.campaign_id} />],
          [calls.from, call.caller_number],
          [calls.to, call.callee_number],
          [calls.attempt, number(call.attempt)],
          [calls.started, call.started_at && <Instant at={call.started_at} seconds />],
          [calls.answered, call.answered_at && <Instant at={call.answered_at} seconds />],
          [calls.ended, call.ended_at && <Instant at={call.ended_at} seconds />],
          [calls.duration, <Length call={call} />],
          [calls.reason, call.disconnect_reason && calls.reasons[call.disconnect_reason]],
          [calls.latency, call.call_latency_ms === null ? null : calls.milliseconds(call.call_latency_ms)],
          [calls.cost, number(call.cost_total)],
          [calls.sound, call.sip && calls.soundOf(call.sip)],
        ]}
      />
    </section>
  );
}
