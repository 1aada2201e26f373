import { within } from '../../../../base/clock.ts';
import type { App } from '../../../../kernel/app.ts';
import { counter, distributed, gauge, histogram, type Metric, type Sample } from '../../../../base/metric.ts';
import { callStates } from '../../call.ts';
import { recordingsBrokenOff } from '../../recordings/service.ts';
import { liveCallStates } from '../../service.ts';
import type { ThreadMetrics } from '../thread/protocol.ts';
import type { TelephonyThread } from '../thread/thread.ts';
import type { OpenLine } from './line.ts';

/** A thread that is too busy to answer must not keep the other metrics. */
const maxWaitMs = 1000;

/** What `/metrics` says of signalling and sound. The thread's counters begin anew when it is replaced. */
export async function sipMetrics(app: App, driver: string, { thread, registrations }: OpenLine): Promise<Metric[]> {
  const [states, counted] = await Promise.all([liveCallStates(app.db, driver), measured(thread)]);
  const live = callStates.filter((state) => state !== 'ended');
  const calls = gauge(
    'parley_sip_calls',
    'Calls of the carrier sip that have not ended, by state.',
    live.map((state) => ({ labels: { state }, value: states.get(state) ?? 0 })),
  );
  const listed = registrations.list();
  const registered = gauge(
    'parley_sip_registrations',
    'SIP accounts that this server registers, by state.',
    (['registering', 'registered', 'refused', 'unreachable'] as const).map((state) => ({
      labels: { state },
      value: listed.filter((account) => account.state === state).length,
    })),
  );
  const brokenOff = counter(
    'parley_recordings_broken_off_total',
    'Recordings that ended before their calls, such as on a full disk.',
    [{ value: recordingsBrokenOff(app) }],
  );
  return [calls, registered, brokenOff, ...(counted ? countersOf(counted) : [])];
}

async function measured(thread: TelephonyThread): Promise<ThreadMetrics | undefined> {
  try {
    return (await within(maxWaitMs, thread.request({ type: 'metrics' }), () => undefined))?.metrics;
  } catch {
    return undefined; // the thread has ended, and its successor answers the next time
  }
}

function countersOf({ phone, media, speech, lateness }: ThreadMetrics): Metric[] {
  return [
    ...speechMetricsOf(speech),
    counter('parley_sip_responses_total', 'SIP responses received, by code.', by('code', phone.responses)),
    counter(
      'parley_sip_dropped_total',
      'SIP messages dropped without an answer, by reason.',
      by('reason', phone.dropped),
    ),
    counter(
      'parley_rtp_packets_total',
      'RTP packets of all calls, by direction.',
      by('direction', { sent: media.packetsSent, received: media.packetsReceived }),
    ),
    counter('parley_rtp_packets_lost_total', 'RTP packets that did not arrive.', [{ value: media.packetsLost }]),
    counter(
      'parley_rtp_dropped_total',
      'RTP and RTCP packets that were not taken, by reason.',
      by('reason', media.dropped),
    ),
    histogram('parley_rtp_send_lateness_seconds', 'How late RTP packets were sent.', inSeconds(lateness)),
  ];
}

function speechMetricsOf({ sessions, errors, interruptions, latency }: ThreadMetrics['speech']): Metric[] {
  return [
    gauge('parley_speech_sessions', 'Sessions with speech services that are open.', [{ value: sessions }]),
    counter('parley_speech_errors_total', 'Faults of speech services, by code.', by('code', errors)),
    counter('parley_interruptions_total', 'Answers of agents that were interrupted.', [{ value: interruptions }]),
    histogram(
      'parley_turn_latency_seconds',
      "Time from the end of the other side's turn to the first packet of the answer.",
      inSeconds(latency),
    ),
  ];
}

/** By limits in milliseconds, which come in rising order. */
const inSeconds = ({ atMost, count, sumMs }: ThreadMetrics['lateness']): Sample[] =>
  distributed({
    limits: Object.keys(atMost).map((ms) => Number(ms) / 1000),
    atMost: Object.values(atMost),
    count,
    seconds: sumMs / 1000,
  });

const by = (label: string, counts: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(counts).map(([key, value]) => ({ labels: { [label]: key }, value }));
