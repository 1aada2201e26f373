import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { messageOf } from '../../../../base/errors.ts';
import type { App } from '../../../../kernel/app.ts';
import { userAgent } from '../../../../kernel/user-agent.ts';
import { type CarrierDriver, carrierDriver } from '../driver.ts';
import { createBooks, endLostCalls } from './books.ts';
import { type Line, sipCarrier } from './carrier.ts';
import type { CallReport } from './dialog/reports.ts';
import { missingSettings, type SipSettings, sipSettings, threadDataOf } from './settings.ts';
import { openSipThread } from './thread.ts';

const name = 'sip';

export type SipDriverOptions = {
  /** The user that every call goes to instead of the called number: a softphone's, in the demo. */
  callee?: string;
  /** Sees the reports of all calls before they are written. */
  onReport?: (callId: string, report: CallReport) => void;
};

/** Calls over SIP trunks, from this process alone. */
export const createSipDriver = (options: SipDriverOptions = {}): CarrierDriver =>
  carrierDriver({
    name,
    summary: 'SIP trunks',
    simulated: false,
    settings: sipSettings,
    missing: (settings) => missingSettings(settings.sip, settings.speech),
    create({ settings: { sip } }) {
      let line: Line | undefined;
      return {
        carrier: sipCarrier({ ...sip, callee: options.callee }, () => line),
        async start(app, directory) {
          line = await openLine(app, sip, directory, options);
          await endLostCalls(app, name);
        },
        async stop(graceMs) {
          if (!line) return;
          const { thread, books } = line;
          await thread.request({ type: 'stop', graceMs: Math.max(0, graceMs - endingMs) }).catch(() => undefined);
          await books.settled();
          await thread.end();
          line = undefined;
        },
        health: () =>
          Promise.resolve(
            line
              ? { status: 'ok', message: `signalling listens on port ${line.thread.port}` }
              : { status: 'ok', message: `signalling is to listen on ${sip.host}, port ${sip.port}` },
          ),
      };
    },
  });

export const sipDriver = createSipDriver();

/** Part of the time for stopping that is kept for writing the ends of the calls. */
const endingMs = 500;

async function openLine(app: App, sip: SipSettings, directory: string, { onReport }: SipDriverOptions): Promise<Line> {
  const books = createBooks(app);
  // Stable as long as the data directory, so that a successor recognizes the dialogs of a killed process.
  const secret = createHmac('sha256', app.secrets.tokenKey).update('names of SIP dialogs').digest('hex');
  const data = threadDataOf(sip, { secret, journalFile: join(directory, 'sip-dialogs'), userAgent: userAgent(app) });
  try {
    const thread = await openSipThread(data, {
      report: (callId, report) => {
        onReport?.(callId, report);
        books.take(callId, report);
      },
      log: (level, fields, message) => app.log[level](fields, message),
      died: () => {
        app.log.error('the telephony thread ended by itself; its calls have failed, and a new one was started');
        books.failAll('The telephony thread ended by itself.');
      },
      failed: (error) => app.log.error({ error: messageOf(error) }, 'the telephony thread could not be started again'),
    });
    app.log.info({ host: sip.host, port: thread.port }, 'SIP signalling listens');
    return { thread, books };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(
      `sip.port ${sip.port} on ${sip.host} is in use by another program; choose another with --set sip.port=…`,
      {
        cause: error,
      },
    );
  }
}
