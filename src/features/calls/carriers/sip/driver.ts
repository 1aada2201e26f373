import { join } from 'node:path';
import { messageOf } from '../../../../base/errors.ts';
import { isPublicAddress, parseNetworks } from '../../../../base/outbound/addresses.ts';
import type { App } from '../../../../kernel/app.ts';
import { userAgent } from '../../../../kernel/user-agent.ts';
import { type CarrierDriver, carrierDriver } from '../driver.ts';
import { createBooks, endLostCalls } from './books.ts';
import { type Line, sipCarrier } from './carrier.ts';
import type { CallReport } from './dialog/reports.ts';
import { createIncoming } from './incoming.ts';
import { sipMetrics } from './metrics.ts';
import type { SipThreadData } from './protocol.ts';
import { missingSettings, type SipSettings, sipSettings, threadDataOf } from './settings.ts';
import { setSources } from './subscribers.ts';
import { openSipThread, type SipThread, type SipThreadEvents } from './thread.ts';
import { createTrunkSources } from './trunk-sources.ts';

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
      let line: OpenLine | undefined;
      return {
        carrier: sipCarrier({ ...sip, callee: options.callee }, () => line),
        async start(app, directory) {
          line = await openLine(app, sip, directory, options);
          await endLostCalls(app, name);
          await line.takeCalls();
        },
        async stop(graceMs) {
          if (!line) return;
          const { thread, books } = line;
          line.takeNoCalls();
          await thread.request({ type: 'stop', graceMs: Math.max(0, graceMs - endingMs) }).catch(() => undefined);
          await books.settled();
          await thread.end();
          line = undefined;
        },
        metrics: (app) => (line ? sipMetrics(app, name, line.thread) : Promise.resolve([])),
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

type OpenLine = Line & {
  /** Decides on incoming calls from now on; those that came before have waited. */
  takeCalls(): Promise<void>;
  takeNoCalls(): void;
};

async function openLine(
  app: App,
  sip: SipSettings,
  directory: string,
  { onReport }: SipDriverOptions,
): Promise<OpenLine> {
  const books = createBooks(app);
  // Stable as long as the data directory, so that a successor recognizes the dialogs of a killed process.
  const secret = app.secrets.derivedKey('names of SIP dialogs').toString('hex');
  const data = threadDataOf(sip, { secret, journalFile: join(directory, 'sip-dialogs'), userAgent: userAgent(app) });
  const networks = parseNetworks(sip.allow_networks);
  const sources = createTrunkSources(app, {
    isAllowed: (address) => isPublicAddress(address, networks),
    onChange: (changes) => thread.post({ type: 'sources', changes }),
  });
  const incoming = createIncoming(app, { driver: name, settings: sip, books, sources });
  const taking = Promise.withResolvers<void>();
  const thread = await opened(sip, data, {
    report: (callId, report) => {
      onReport?.(callId, report);
      books.take(callId, report);
    },
    invite: (invite) => taking.promise.then(() => incoming.decide(invite)),
    log: (level, fields, message) => app.log[level](fields, message),
    died: () => {
      app.log.error('the telephony thread ended by itself; its calls have failed, and a new one was started');
      books.failAll('The telephony thread ended by itself.');
      thread.post({ type: 'sources', changes: sources.all() });
    },
    failed: (error) => app.log.error({ error: messageOf(error) }, 'the telephony thread could not be started again'),
  });
  app.log.info({ host: sip.host, port: thread.port }, 'SIP signalling listens');
  return {
    thread,
    books,
    async takeCalls() {
      setSources(app, sources);
      await sources.load();
      taking.resolve();
    },
    takeNoCalls() {
      incoming.stop();
      taking.resolve();
      sources.stop();
      setSources(app, undefined);
    },
  };
}

/** @throws Error that names the setting when the port is taken */
async function opened(sip: SipSettings, data: SipThreadData, events: SipThreadEvents): Promise<SipThread> {
  try {
    return await openSipThread(data, events);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    const reason = `sip.port ${sip.port} on ${sip.host} is in use by another program; choose another with --set sip.port=…`;
    throw new Error(reason, { cause: error });
  }
}
