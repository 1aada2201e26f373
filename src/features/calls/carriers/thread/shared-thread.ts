import { appLocal } from '../../../../kernel/node.ts';
import type { RecordingReport } from '../../../../talking/recording/recordings.ts';
import type { SpeechReport } from '../../../../talking/speech/engine.ts';
import type { FromWebCall } from './protocol.ts';
import type { TelephonyThread } from './thread.ts';

/** A channel besides SIP whose calls the telephony thread has, too. It ignores calls that are not its own. */
export type OtherChannel = {
  event(callId: string, event: FromWebCall): void;
  speech(callId: string, report: SpeechReport): void;
  tool(callId: string, name: string): void;
  recording(callId: string, report: RecordingReport): void;
  failAll(errorMessage: string): void;
};

/**
 * The thread that has the sound of all calls, SIP and others. `start` starts it without signalling; undefined where the carrier `sip` lacks
 * settings.
 */
export const sharedThread = appLocal(
  (): {
    thread: TelephonyThread | undefined;
    start: (() => void) | undefined;
    channel: OtherChannel | undefined;
  } => ({
    thread: undefined,
    start: undefined,
    channel: undefined,
  }),
);
