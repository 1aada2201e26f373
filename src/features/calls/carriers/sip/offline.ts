import { randomUUID } from 'node:crypto';
import { messageOf } from '../../../../base/errors.ts';
import { defaultsOf } from '../../../../base/config/settings.ts';
import { type SpeechSettings, speechSettings } from '../../../../talking/speech/settings.ts';
import type { App } from '../../../../kernel/app.ts';
import { userAgent } from '../../../../kernel/user-agent.ts';
import type { CarrierHealth } from '../driver.ts';
import type { ThreadData } from '../thread/protocol.ts';
import { openTelephonyThread, type TelephonyThread, type ThreadEvents } from '../thread/thread.ts';
import { opened } from './line.ts';
import { type SipSettings, threadDataOf } from './settings.ts';

/** Whether the port is free, where no server runs. */
export async function couldListen(app: App, sip: SipSettings): Promise<CarrierHealth> {
  try {
    const thread = await opened(sip, temporaryData(app, sip), noEvents);
    const message = `signalling can listen on ${sip.host}, port ${thread.port}`;
    await thread.end();
    return { status: 'ok', message };
  } catch (error) {
    return { status: 'fail', message: messageOf(error) };
  }
}

/** Uses the running thread, or one on another port where no server runs. */
export async function withThread<T>(
  app: App,
  sip: SipSettings,
  running: TelephonyThread | undefined,
  use: (thread: TelephonyThread) => Promise<T>,
): Promise<T> {
  if (running) return use(running);
  const thread = await openTelephonyThread({ ...temporaryData(app, sip), port: 0, tlsPort: null }, noEvents);
  try {
    return await use(thread);
  } finally {
    await thread.end();
  }
}

const temporaryData = (app: App, sip: SipSettings): ThreadData =>
  threadDataOf(sip, {
    speech: defaultsOf(speechSettings) as SpeechSettings,
    secret: randomUUID(),
    journalFile: null,
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
