import type { WorkerModule } from '../../../../base/worker/module.ts';
import { startThread, type Thread } from '../../../../base/worker/thread.ts';
import type { IncomingInvite } from '../../../../telephony/dialog/incoming-invite.ts';
import type { CallReport } from '../../../../telephony/dialog/reports.ts';
import type { RegistrationReport } from '../../../../telephony/registration/account.ts';
import type { Credentials } from '../../../../telephony/message/digest.ts';
import type { SpokenFacts } from '../../../../telephony/audio/speech.ts';
import type { SpeechReport, ToolCall } from '../../../../talking/speech/engine.ts';
import type { RecordingReport } from '../../../../talking/recording/recordings.ts';
import type { AgentDecision, FromWebCall, ThreadProtocol, ThreadReply, ThreadRequest, ThreadData } from './protocol.ts';

const module: WorkerModule = { asset: 'telephony.cjs', url: () => new URL('worker.ts', import.meta.url) };

export type TelephonyThread = {
  /** The port of signalling; 0 before `listen`. */
  readonly port: number;
  /**
   * Opens signalling, without which there are test calls alone.
   * @throws Error with `code` EADDRINUSE when the port is taken
   */
  listen(): Promise<void>;
  post(message: ThreadProtocol['toThread']): void;
  request(request: ThreadRequest): Promise<ThreadReply>;
  end(): Promise<void>;
};

export type ThreadEvents = {
  /** `speech`: the figures of the call's agent; null before it is opened. */
  report: (callId: string, report: CallReport, speech: SpokenFacts | null) => void;
  speech: (callId: string, report: SpeechReport) => void;
  /** The model of a call uses a tool; resolves with JSON for it. Never rejects. */
  tool: (callId: string, use: ToolCall) => Promise<string>;
  recording: (callId: string, report: RecordingReport) => void;
  web: (callId: string, event: FromWebCall) => void;
  /** An agent hands its call on to a phone (E.164); resolves with the refusal as a sentence, or null. Never rejects. */
  transfer: (callId: string, to: string) => Promise<string | null>;
  registration: (accountId: string, report: RegistrationReport) => void;
  /** Why a call may not ring any more; null if it may. Never rejects. */
  refusal: (callId: string) => Promise<string | null>;
  /** The credentials of a call's number, also of an ended call. Never rejects. */
  credentials: (callId: string) => Promise<Credentials | null>;
  /** Never rejects. */
  invite: (invite: IncomingInvite) => Promise<AgentDecision>;
  log: (level: 'trace' | 'info' | 'warn', fields: object, message: string) => void;
  /** The thread ended by itself: its calls are lost. A successor is running, which ends their dialogs. */
  died: () => void;
  /** No successor could be started. */
  failed: (error: unknown) => void;
};

/** Starts the telephony thread, and a successor on the same port whenever it dies. */
export function openTelephonyThread(data: ThreadData, events: ThreadEvents): TelephonyThread {
  let [isEnding, isListening] = [false, false];
  let port = 0;
  let thread: Thread<ThreadProtocol> = start(data);

  function start(own: ThreadData): Thread<ThreadProtocol> {
    const started: Thread<ThreadProtocol> = startThread<ThreadProtocol>(module, {
      name: 'telephony',
      data: own,
      onMessage(message) {
        if (message.type === 'report') events.report(message.callId, message.report, message.speech);
        else if (message.type === 'speech') events.speech(message.callId, message.report);
        else if (message.type === 'tool') void useTool(started, message.number, message.callId, message.use);
        else if (message.type === 'web') events.web(message.callId, message.event);
        else if (message.type === 'recording') events.recording(message.callId, message.report);
        else if (message.type === 'transfer') void transfer(started, message.number, message.callId, message.to);
        else if (message.type === 'registration') events.registration(message.accountId, message.report);
        else if (message.type === 'invite') void decide(started, message.number, message.invite);
        else if (message.type === 'may-ring') void decideAgain(started, message.number, message.callId);
        else if (message.type === 'credentials') void tellCredentials(started, message.number, message.callId);
        else events.log(message.level, message.fields, message.message);
      },
    });
    return started;
  }

  /** The decision goes to the thread that asked: its successor knows nothing of the call. */
  async function decide(asking: Thread<ThreadProtocol>, number: number, invite: IncomingInvite): Promise<void> {
    asking.post({ type: 'decision', number, decision: await events.invite(invite) });
  }

  async function decideAgain(asking: Thread<ThreadProtocol>, number: number, callId: string): Promise<void> {
    asking.post({ type: 'refusal', number, refusal: await events.refusal(callId) });
  }

  async function tellCredentials(asking: Thread<ThreadProtocol>, number: number, callId: string): Promise<void> {
    asking.post({ type: 'credentials', number, credentials: await events.credentials(callId) });
  }

  async function useTool(asking: Thread<ThreadProtocol>, number: number, callId: string, use: ToolCall): Promise<void> {
    asking.post({ type: 'tool-result', number, result: await events.tool(callId, use) });
  }

  async function transfer(asking: Thread<ThreadProtocol>, number: number, callId: string, to: string): Promise<void> {
    asking.post({ type: 'transferred', number, refusal: await events.transfer(callId, to) });
  }

  const watch = (started: Thread<ThreadProtocol>): void =>
    void started.ended.then(() => (isEnding ? undefined : replace()));
  watch(thread);

  async function replace(): Promise<void> {
    try {
      thread = start(isListening ? { ...data, port } : data);
      // Any answer shows that it runs.
      await (isListening ? listen() : thread.request({ type: 'metrics' }));
      watch(thread);
      events.died();
    } catch (error) {
      events.died();
      events.failed(error);
    }
  }

  async function listen(): Promise<void> {
    port = (await thread.request({ type: 'open' })).port!;
    isListening = true;
  }

  return {
    get port() {
      return port;
    },
    listen,
    post: (message) => thread.post(message),
    request: (request) => thread.request(request),
    async end() {
      isEnding = true;
      await thread.end(1000);
    },
  };
}
