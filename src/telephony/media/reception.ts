/** Statistics of a received stream that RFC 3550 defines (sections 6.4.1 and A.1, A.3, A.8). */
export type ReceptionReport = {
  ssrc: number;
  /** The share of packets lost since the report before, in 256ths. */
  fractionLost: number;
  lost: number;
  highestSequence: number;
  /** In timestamp units, 8 a millisecond. */
  jitter: number;
};

export type Reception = {
  /** A packet whose source and form are right. `timestamp` null: one that does not count for jitter, because it repeats a timestamp. */
  receive(ssrc: number, sequence: number, timestamp: number | null, nowMs: number): void;
  /** The report on the present stream; undefined before the first packet. Each begins a new interval for `fractionLost`. */
  report(): ReceptionReport | undefined;
  /** Over all streams of the call. */
  received(): number;
  lost(): number;
  jitterMs(): number;
};

const unitsPerMs = 8;
/** A jump of more than this many numbers is a stream that was numbered anew, not loss. */
const maxDropout = 3000;

type Stream = {
  ssrc: number;
  base: number;
  highest: number;
  received: number;
  reported: { expected: number; received: number };
};

const expectedOf = ({ base, highest }: Stream): number => highest - base + 1;
/** Duplicates may make it negative. */
const lostOf = (stream: Stream): number => expectedOf(stream) - stream.received;

export function reception(): Reception {
  let stream: Stream | undefined;
  let receivedBefore = 0;
  let lostBefore = 0;
  let jitter = 0;
  let lastTransit: number | undefined;

  function begin(ssrc: number, sequence: number): Stream {
    if (stream) {
      receivedBefore += stream.received;
      lostBefore += Math.max(0, lostOf(stream));
    }
    lastTransit = undefined;
    return { ssrc, base: sequence, highest: sequence, received: 0, reported: { expected: 0, received: 0 } };
  }

  function measureJitter(timestamp: number, nowMs: number): void {
    const transit = (Math.round(nowMs * unitsPerMs) - timestamp) | 0;
    if (lastTransit !== undefined) jitter += (Math.abs((transit - lastTransit) | 0) - jitter) / 16;
    lastTransit = transit;
  }

  return {
    receive(ssrc, sequence, timestamp, nowMs) {
      if (stream?.ssrc !== ssrc) stream = begin(ssrc, sequence);
      const ahead = ((sequence - stream.highest) << 16) >> 16;
      if (Math.abs(ahead) > maxDropout) stream = begin(ssrc, sequence);
      else stream.highest = Math.max(stream.highest, stream.highest + ahead);
      stream.received += 1;
      if (timestamp !== null) measureJitter(timestamp, nowMs);
    },
    report() {
      if (!stream) return undefined;
      const expected = expectedOf(stream) - stream.reported.expected;
      const lost = expected - (stream.received - stream.reported.received);
      stream.reported = { expected: expectedOf(stream), received: stream.received };
      return {
        ssrc: stream.ssrc,
        fractionLost: expected <= 0 || lost <= 0 ? 0 : Math.min(255, Math.floor((lost * 256) / expected)),
        lost: lostOf(stream),
        highestSequence: stream.highest,
        jitter: Math.floor(jitter),
      };
    },
    received: () => receivedBefore + (stream?.received ?? 0),
    lost: () => lostBefore + Math.max(0, stream ? lostOf(stream) : 0),
    jitterMs: () => jitter / unitsPerMs,
  };
}
