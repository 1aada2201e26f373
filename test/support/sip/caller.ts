import type { TestContext } from 'node:test';
import { openPhone, type Phone, type PhoneOptions } from '../../../src/telephony/dialog/phone.ts';
import type { CallReport, DialRequest } from '../../../src/telephony/dialog/reports.ts';
import { createMedia } from '../../../src/telephony/media/media.ts';
import { phoneOptions } from './phone-options.ts';
import { portRange } from './ports.ts';

export type ReportOf<T extends CallReport['type']> = Extract<CallReport, { type: T }>;

export type TestPhone = Phone & {
  reports: CallReport[];
  /** Resolves with the first report of this type, which may have come before. */
  report<T extends CallReport['type']>(type: T): Promise<ReportOf<T>>;
};

const ports = await portRange();

/** A phone on loopback in this thread, with real sockets and sound. */
export async function startPhone(t: TestContext, changes: Partial<PhoneOptions> = {}): Promise<TestPhone> {
  const reports: CallReport[] = [];
  let waiters: Array<() => boolean> = [];
  const media = createMedia({ host: '127.0.0.1', ...ports, rtpTimeoutMs: 20_000, mayUse: () => true });
  const phone = await openPhone({
    ...phoneOptions(media),
    report(_callId, report) {
      reports.push(report);
      waiters = waiters.filter((isWaiting) => isWaiting());
    },
    ...changes,
  });
  t.after(async () => {
    media.close();
    await phone.close();
  });
  return {
    ...phone,
    reports,
    report: <T extends CallReport['type']>(type: T) =>
      new Promise<ReportOf<T>>((resolve) => {
        const look = (): boolean => {
          const found = reports.find((report) => report.type === type);
          if (found) resolve(found as ReportOf<T>);
          return !found;
        };
        if (look()) waiters.push(look);
      }),
  };
}

export const callId = '019cadc6-9a80-7001-a45e-788430a62e9c';

export const aCall = (uri: string, changes: Partial<DialRequest> = {}): DialRequest => ({
  id: callId,
  from: '+4930901821',
  to: '+4930901820',
  fromUser: null,
  trunk: { uri, transport: null },
  credentials: null,
  ringTimeoutMs: 45_000,
  maxDurationMs: 3_600_000,
  ...changes,
});
