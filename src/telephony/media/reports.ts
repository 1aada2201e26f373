import { monotonicMs, realTimeMs } from '../../base/clock.ts';
import type { Reception } from './reception.ts';
import { parseRtcp, writeRtcp } from './rtcp.ts';
import type { Sender } from './sender.ts';

/** The RTCP of a call: what we report, and what the other side's reports say. */
export type Reports = {
  /** A report if one is due; to be called every 20 ms. */
  due(nowMs: number): Buffer | undefined;
  /** The report with BYE that ends the stream; undefined if nothing was sent. */
  last(): Buffer | undefined;
  /** False if it is no RTCP. */
  receive(packet: Buffer, nowMs: number): boolean;
};

/** RFC 3550, section 6.2: at least every 5 s, at random between half and one and a half of that, so that sessions do not send together. */
const intervalMs = (): number => 5000 * (0.5 + Math.random());

export function createReports(sender: Sender, received: Reception): Reports {
  const cname = `${sender.ssrc.toString(16)}@parley`;
  let dueMs: number | undefined;
  let sentAtLastReport = 0;
  let lastSr: { middle: number; atMs: number } | undefined;

  function write(isLast: boolean): Buffer {
    const report = received.report();
    const isSender = sender.packets() > sentAtLastReport;
    sentAtLastReport = sender.packets();
    return writeRtcp({
      ssrc: sender.ssrc,
      cname,
      unixMs: realTimeMs(),
      sender: isSender ? { timestamp: sender.timestamp(), packets: sender.packets(), bytes: sender.bytes() } : null,
      reception: report
        ? {
            ...report,
            lastSr: lastSr?.middle ?? 0,
            delaySinceLastSr: lastSr ? Math.round(((monotonicMs() - lastSr.atMs) * 65_536) / 1000) : 0,
          }
        : null,
      isLast,
    });
  }

  return {
    due(nowMs) {
      dueMs ??= nowMs + intervalMs() / 2;
      if (nowMs < dueMs) return undefined;
      dueMs = nowMs + intervalMs();
      return write(false);
    },
    last: () => (sender.packets() === 0 ? undefined : write(true)),
    receive(packet, nowMs) {
      const parsed = parseRtcp(packet);
      if (parsed?.lastSr !== undefined) lastSr = { middle: parsed.lastSr, atMs: nowMs };
      return parsed !== null;
    },
  };
}
