import { randomUUID } from 'node:crypto';
import { messageOf } from '../../../../base/errors.ts';
import { defaultsOf } from '../../../../base/config/settings.ts';
import { type SpeechSettings, speechSettings } from '../../../../talking/speech/settings.ts';
import type { App } from '../../../../kernel/app.ts';
import { userAgent } from '../../../../kernel/user-agent.ts';
import type { CarrierHealth } from '../driver.ts';
import type { ThreadData } from '../thread/protocol.ts';
import { openTelephonyThread, type TelephonyThread, type ThreadEvents } from '../thread/thread.ts';
import { listen } from './line.ts';
import { type SipSettings, threadDataOf } from './settings.ts';

/** Whether the port is free, where no server runs. */
export async function couldListen(app: App, sip: SipSettings): Promise<CarrierHealth> {
  const thread = openTelephonyThread(temporaryData(app, sip), noEvents);
  try {
    await listen(sip, thread);
    return { status: 'ok', message: `signalling can listen on ${sip.host}, port ${thread.port}` };
  } catch (error) {
    return { status: 'fail', message: messageOf(error) };
  } finally {
    await thread.end();
  }
}

type UseThread = <T>(
  app: App,
  sip: SipSettings,
  running: TelephonyThread | undefined,
  use: (thread: TelephonyThread) => Promise<T>,
) => Promise<T>;

/** Uses the thread that listens, or one on another port where none does; users at the same time share that one. */
export function sharedCheckThread(): UseThread {
  let shared: TelephonyThread | undefined;
  let users = 0;
  return async (app, sip, running, use) => {
    if (running) return use(running);
    const thread = (shared ??= openTelephonyThread(portless(app, sip), noEvents));
    users += 1;
    try {
      await thread.listen();
      return await use(thread);
    } finally {
      users -= 1;
      if (users === 0) {
        shared = undefined;
        await thread.end();
      }
    }
  };
}

/** As `sharedCheckThread`, for one user. */
export const withThread: UseThread = (app, sip, running, use) => sharedCheckThread()(app, sip, running, use);

const portless = (app: App, sip: SipSettings): ThreadData => ({ ...temporaryData(app, sip), port: 0, tlsPort: null });

const temporaryData = (app: App, sip: SipSettings): ThreadData =>
  threadDataOf(sip, {
    speech: defaultsOf(speechSettings) as SpeechSettings,
    secret: randomUUID(),
    journalFile: null,
    turnEnds: null,
    userAgent: userAgent(app),
    trace: false,
  });

const noEvents: ThreadEvents = {
  report: () => undefined,
  registration: () => undefined,
  speech: () => undefined,
  tool: () => Promise.resolve('{}'),
  recording: () => undefined,
  web: () => undefined,
  transfer: () => Promise.resolve('No server runs.'),
  invite: () =>
    Promise.resolve({
      decision: { accepted: false, status: 503, phrase: 'Service Unavailable' },
      agent: null,
      recording: null,
    }),
  refusal: () => Promise.resolve(null),
  credentials: () => Promise.resolve(null),
  log: () => undefined,
  died: () => undefined,
  failed: () => undefined,
};
