import { within } from '../base/clock.ts';
import type { Line, SpeechSession } from '../telephony/audio/speech.ts';
import { type Answering, createAnswering, type RealTime } from './listening/answering.ts';
import type { Verdict } from './listening/verdict.ts';
import type { AgentInCall, EngineName, SpeechEngine, SpeechEvents } from './speech/engine.ts';
import type { VoicemailSettings } from './speech/settings.ts';

export type Engines = Readonly<Partial<Record<EngineName, SpeechEngine>>>;

/** Longer than the main thread gives a tool, for a main thread that does not answer at all. */
const maxToolMs = 12_000;
/** Texts that may wait for the verdict. */
const maxTexts = 20;

/**
 * Opens the agent of a call with the engine that the call names, and lets it begin: when the call is answered or, with voicemail detection,
 * when it is known who has answered. What stands between a channel and every engine alike belongs here.
 */
export function openAgent(
  engines: Engines,
  agent: AgentInCall,
  events: SpeechEvents,
  voicemail: VoicemailSettings,
  time?: RealTime,
): SpeechSession {
  const engine = engines[agent.engine];
  if (!engine) throw new Error(`there is no engine ${agent.engine}`);
  let line: Line | undefined;
  let answering: Answering | undefined;
  let [hasSpoken, isMuted, isMachine] = [false, agent.detectsVoicemail, false];
  /** Texts that the agent is to say once it may speak. */
  const texts: string[] = [];

  const session = engine.open(agent, {
    ...events,
    tool: (use) => within(maxToolMs, events.tool(use), () => '{"error":"timed out"}'),
    machineSpeaks: () => answering?.machineSpeaks(),
  });

  function begin(...opening: Parameters<SpeechSession['begin']>): void {
    isMuted = false;
    session.begin(...opening);
    for (const text of texts.splice(0)) session.say(text);
  }

  function judged({ who, why }: Verdict): void {
    events.report({ type: 'verdict', verdict: who, detail: why });
    if (who !== 'machine') return begin(who);
    [isMuted, isMachine] = [true, true];
    texts.length = 0;
    line!.clear();
    if (agent.voicemailMessage === null) line!.hangUp({ status: 'completed', errorMessage: null });
  }

  function recordsNow(): void {
    if (agent.voicemailMessage !== null) begin('mailbox');
  }

  return {
    ...session,
    answered(answered) {
      // Nothing is said to somebody who may be a machine, whatever the engine has begun.
      line = { ...answered, play: (audio, item) => (isMuted ? 0 : answered.play(audio, item)) };
      session.answered(line);
      if (!agent.detectsVoicemail) return begin('person');
      answering = createAnswering(answered.codec, voicemail, { verdict: judged, mailboxRecords: recordsNow }, time);
    },
    hear(audio, atMs) {
      session.hear(audio, atMs);
      answering?.hear(audio, atMs);
    },
    held(isHeld) {
      session.held(isHeld);
      answering?.held(isHeld);
    },
    say(text) {
      if (!isMuted || !line) return session.say(text);
      if (isMachine || texts.length >= maxTexts) return false;
      return texts.push(text) > 0;
    },
    sending(item) {
      if (!hasSpoken) events.report({ type: 'greeting' });
      hasSpoken = true;
      answering?.agentSpoke();
      session.sending(item);
    },
    end() {
      answering?.end();
      return session.end();
    },
  };
}
