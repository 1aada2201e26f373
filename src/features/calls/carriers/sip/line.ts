import { join } from 'node:path';
import { messageOf } from '../../../../base/errors.ts';
import { isPublicAddress, parseNetworks } from '../../../../base/outbound/addresses.ts';
import { onCommit } from '../../../../db/transaction.ts';
import type { App } from '../../../../kernel/app.ts';
import { userAgent } from '../../../../kernel/user-agent.ts';
import type { CallReport } from '../../../../telephony/dialog/reports.ts';
import { numberRegistrationChanged, numberTrunkChanged } from '../../../numbers/events.ts';
import { setRegistrationStatus } from '../../../numbers/registration.ts';
import { refusalOf } from '../../withdrawal.ts';
import { useTool } from '../../tools/tool.ts';
import type { SpeechSettings } from '../../../../talking/speech/settings.ts';
import { sharedThread } from '../thread/shared-thread.ts';
import { openTelephonyThread, type TelephonyThread, type ThreadEvents } from '../thread/thread.ts';
import { type CallRegistry, createCallRegistry } from './call-registry.ts';
import { credentialsOfCall } from './credentials.ts';
import { createIncoming } from './incoming.ts';
import { handOn, liveControl } from './live-control.ts';
import { createNumberRegistrations, type NumberRegistrations } from './registrations.ts';
import { type SipSettings, threadDataOf } from './settings.ts';
import { createTrunkSources } from './trunk-sources.ts';

export type LineOptions = {
  /** The name of the driver. */
  driver: string;
  /** The data directory. */
  directory: string;
  speech: SpeechSettings;
  /** Sees the reports of all calls before they are written. */
  onReport?: ((callId: string, report: CallReport) => void) | undefined;
};

export type Line = { thread: TelephonyThread; registry: CallRegistry };

/** Signalling and sound, with the registry of their calls. */
export type OpenLine = Line & {
  registrations: NumberRegistrations;
  /**
   * Opens signalling.
   * @throws Error that names the setting when the port is taken
   */
  listen(): Promise<void>;
  /** Decides on incoming calls from now on; those that came before have waited. */
  acceptCalls(): Promise<void>;
  refuseCalls(): void;
};

/** Starts the telephony thread, which does not listen yet. */
export function openLine(app: App, sip: SipSettings, options: LineOptions): OpenLine {
  const { driver, directory, speech, onReport } = options;
  const registry = createCallRegistry(app);
  // Stable as long as the data directory, so that a successor recognizes the dialogs of a killed process.
  const secret = app.secrets.derivedKey('names of SIP dialogs').toString('hex');
  const data = threadDataOf(sip, {
    speech,
    secret,
    journalFile: join(directory, 'sip-dialogs'),
    userAgent: userAgent(app),
    trace: app.config.log.level === 'trace',
    turnEnds: app.turnEnds,
  });
  const networks = parseNetworks(sip.allow_networks);
  const sources = createTrunkSources(app, {
    isAllowed: (address) => isPublicAddress(address, networks),
    onChange: (changes) => thread.post({ type: 'sources', changes }),
  });
  const registrations = createNumberRegistrations(app, {
    driver,
    secret,
    expiresSec: sip.register_expires_sec,
    post: (message) => thread.post(message),
  });
  const incoming = createIncoming(app, { driver, settings: sip, speech, registry, sources, registrations });
  const control = liveControl(sip, () => ({ thread }));
  const shared = sharedThread(app);
  const taking = Promise.withResolvers<void>();
  const thread = openTelephonyThread(data, {
    report: (callId, report, facts) => {
      onReport?.(callId, report);
      registry.record(callId, report, facts);
    },
    ...agentEvents(app, registry),
    transfer: (callId, to) => handOn(app, control, callId, to),
    registration: (accountId, report) => registrations.record(accountId, report),
    refusal: (callId) => refusalOf(app, callId),
    credentials: (callId) => credentialsOfCall(app, callId),
    invite: (invite) => taking.promise.then(() => incoming.decide(invite)),
    log: (level, fields, message) => app.log[level](fields, message),
    died: () => {
      app.log.error('the telephony thread ended by itself; its calls have failed, and a new one was started');
      registry.failAll('The telephony thread ended by itself.');
      shared.channel?.failAll('The telephony thread ended by itself.');
      thread.post({ type: 'sources', changes: sources.all() });
      for (const account of registrations.all()) thread.post({ type: 'register', account });
    },
    failed: (error) => app.log.error({ error: messageOf(error) }, 'the telephony thread could not be started again'),
  });
  shared.thread = thread;
  return {
    thread,
    registry,
    registrations,
    async listen() {
      await listen(sip, thread);
      app.log.info({ host: sip.host, port: thread.port }, 'SIP signalling listens');
    },
    async acceptCalls() {
      app.events.on(numberTrunkChanged, (_app, tx, { orgId, before, after }) => {
        onCommit(tx, () => sources.change(orgId, before, after));
        return Promise.resolve();
      });
      app.events.on(numberRegistrationChanged, (_app, tx, { orgId, numberId }) => {
        onCommit(tx, () => void registrations.changed(orgId, numberId));
        return Promise.resolve();
      });
      setRegistrationStatus(app, registrations.statusOf);
      await sources.load();
      await registrations.load();
      taking.resolve();
    },
    refuseCalls() {
      shared.thread = undefined;
      incoming.stop();
      taking.resolve();
      sources.stop();
    },
  };
}

/** What agents tell, to the books of their calls: those of SIP and those of other channels. */
function agentEvents(app: App, registry: CallRegistry): Pick<ThreadEvents, 'speech' | 'tool' | 'recording' | 'web'> {
  const shared = sharedThread(app);
  return {
    speech(callId, report) {
      registry.recordSpeech(callId, report);
      shared.channel?.speech(callId, report);
    },
    tool(callId, use) {
      shared.channel?.tool(callId, use.name);
      return useTool(app, callId, use);
    },
    recording(callId, report) {
      registry.recordRecording(callId, report);
      shared.channel?.recording(callId, report);
    },
    web: (callId, event) => shared.channel?.event(callId, event),
  };
}

/** @throws Error that names the setting when the port is taken */
export async function listen(sip: SipSettings, thread: TelephonyThread): Promise<void> {
  try {
    await thread.listen();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    const isTls = sip.tls_port !== null && messageOf(error).endsWith(`:${sip.tls_port}`);
    const [setting, port] = isTls ? ['sip.tls_port', sip.tls_port] : ['sip.port', sip.port];
    const reason = `${setting} ${port} on ${sip.host} is in use by another program; choose another with --set ${setting}=…`;
    throw new Error(reason, { cause: error });
  }
}
