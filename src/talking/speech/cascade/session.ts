import { randomUUID } from 'node:crypto';
import { every, monotonicMs, pause } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Line, Opening, SpeechSession } from '../../../telephony/audio/speech.ts';
import { instructionsOf, openingInstructions, reminderInstructions } from '../../conversation/instructions.ts';
import { createKeypad } from '../../conversation/keypad.ts';
import { createPatience, type Patience } from '../../conversation/patience.ts';
import { createStarvation } from '../../conversation/starvation.ts';
import type { AgentInCall, EngineEvents, Said } from '../engine.ts';
import { countError, type SpeechMetrics } from '../metrics.ts';
import { createCounts } from '../counts.ts';
import type { SpeechSettings } from '../settings.ts';
import { type Answer, createAnswer } from './answer.ts';
import { createHistory } from './history.ts';
import { createThinking, type Next, type Thinking } from './thinking.ts';
import { transcribe } from './transcription.ts';
import { createTurns, joined, type Turn, type Turns } from './turns.ts';
import { speak } from './voice.ts';

export type CascadeParts = {
  settings: SpeechSettings;
  metrics: SpeechMetrics;
  agent: AgentInCall;
  events: EngineEvents;
};

/** Failures in a row, each of a whole answer, after which the call is given up. */
const maxFailures = 3;
const retryPauseMs = 300;
/** How often silence is looked at. */
const lookMs = 500;
/** How often it is looked at whether an answer goes on. */
const watchMs = 250;
/** Told the model where nobody has said anything yet; most models answer nobody but a user. */
const answeredNote = '[The call is answered.]';

/** What an answer is made of: a text that is spoken as it stands, or instructions for the model; neither: the model goes on. */
type Wanted = { text?: string | undefined; instructions?: string | undefined; isLast?: boolean };

/** The agent of one call whose ears, mind and voice are three services. */
class Cascade {
  readonly #parts: CascadeParts;
  readonly #counts: ReturnType<typeof createCounts>;
  readonly #history: ReturnType<typeof createHistory>;
  readonly #thinking: Thinking;
  readonly #stopped = new AbortController();
  readonly #keypad = createKeypad((keys) => this.#takeWriting(`[keypad] ${keys}`, { text: keys, format: 'dtmf' }));
  #line: Line | undefined;
  #turns: Turns | undefined;
  #patience: Patience | undefined;
  #opening: Opening | undefined;
  #answer: Answer | undefined;
  /** When the turn ended to which the answer belongs, until its first packet. */
  #turnEndedMs: number | undefined;
  /** What was said before the agent began. */
  #early: Turn[] = [];
  /** What follows on the answer. */
  #next: Wanted[] = [];
  #failures = 0;
  #answeredMs = 0;
  /** Turns are understood one after the other. */
  #understood: Promise<void> = Promise.resolve();
  #isHangingUp = false;
  /** The model says so; what follows is decided elsewhere. */
  #isMachine = false;
  /** The other side's turn has interrupted the agent. */
  #hasInterrupted = false;
  #stopLooking: () => void = () => undefined;

  constructor(parts: CascadeParts) {
    this.#parts = parts;
    this.#counts = createCounts(parts.agent.model, parts.metrics);
    this.#history = createHistory(instructionsOf(parts.agent));
    this.#thinking = createThinking(parts, this.#history, this.#counts);
    this.#counts.sessionOpened();
  }

  #now(): number {
    return Math.round(monotonicMs() - this.#answeredMs);
  }

  answered(line: Line): void {
    this.#answeredMs = monotonicMs();
    this.#line = line;
    this.#turns = createTurns(line.codec, this.#parts.settings.cascade.pause_ms, {
      speaks: (speechMs) => this.#speaks(speechMs),
      ended: (turn) => this.#turnEnded(turn),
    });
    this.#thinking.line(line);
    this.#patience = createPatience(this.#parts.agent, 0);
  }

  begin(opening: Opening): void {
    if (this.#stopped.signal.aborted) return;
    this.#opening = opening;
    if (opening === 'mailbox') return this.#leaveMessage();
    this.#stopLooking = every(lookMs, () => this.#look());
    const last = this.#turns!.take();
    const heard = last ? [...this.#early, last] : this.#early;
    this.#early = [];
    const { firstMessage, recordingNotice } = this.#parts.agent;
    const text = [recordingNotice, firstMessage].filter((own) => own !== null && own !== '').join(' ');
    if (opening === 'person' && text !== '') {
      void this.#understand(heard, this.#history.hears());
      if (firstMessage === null || firstMessage === '') this.#next.push({});
      this.#respond({ text });
    } else {
      const instructions = openingInstructions(this.#parts.agent, opening === 'unclear');
      void this.#beginWithModel(heard, instructions);
    }
  }

  async #beginWithModel(heard: readonly Turn[], instructions: string | undefined): Promise<void> {
    const text = await this.#understand(heard);
    if (text === '') this.#history.heard(answeredNote);
    if (this.#isListening()) this.#respond({ instructions });
  }

  #leaveMessage(): void {
    this.#stopLooking();
    this.#interrupt();
    this.#respond({ text: this.#parts.agent.voicemailMessage ?? '', isLast: true });
  }

  /** Writes down what was said; resolves with the text. */
  async #understand(turns: readonly Turn[], remember = this.#history.heard): Promise<string> {
    const speechMs = turns.reduce((sum, turn) => sum + turn.speechMs, 0);
    if (speechMs === 0) return '';
    const pcm = joined(turns.map((turn) => turn.pcm));
    const { stt, response_timeout_ms: timeoutMs } = this.#parts.settings;
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(timeoutMs)]);
    for (;;) {
      try {
        const text = await transcribe(stt, { pcm, speechMs, language: this.#parts.agent.language }, signal);
        if (text !== '' && !this.#stopped.signal.aborted) this.#heard(text, turns[0]!.atMs, remember);
        return text;
      } catch (error) {
        if (this.#hasGivenUp('stt', error) || signal.aborted) return '';
        await pause(retryPauseMs);
      }
    }
  }

  #heard(text: string, atMs: number, remember: (text: string) => void): void {
    remember(text);
    this.#parts.events.report({
      type: 'said',
      said: { id: randomUUID(), role: 'user', text, format: 'text', atMs: Math.round(atMs) },
    });
  }

  #isListening(): boolean {
    return this.#opening !== undefined && this.#opening !== 'mailbox' && !this.#isMachine && !this.#isHangingUp;
  }

  #speaks(speechMs: number): void {
    if (!this.#isListening()) return;
    this.#patience!.userSpeaks();
    if (speechMs >= this.#parts.settings.cascade.interrupt_ms && this.#interrupt()) this.#hasInterrupted = true;
  }

  #turnEnded(turn: Turn): void {
    if (this.#opening === undefined) return void this.#early.push(turn);
    if (!this.#isListening()) return;
    this.#patience!.userSpoke(this.#now());
    // A short sound while the agent speaks is a sign of listening.
    if (turn.speechMs < this.#parts.settings.cascade.interrupt_ms && this.#answer?.isOpen() === true) return;
    this.#understood = this.#answerTurn(this.#understood, turn, monotonicMs());
  }

  async #answerTurn(before: Promise<void>, turn: Turn, endedMs: number): Promise<void> {
    await before;
    const text = await this.#understand([turn]);
    if (!this.#isListening()) return;
    // Without words, the agent goes on with what it was saying.
    if (text !== '' || this.#hasInterrupted) this.#respond({}, endedMs);
    this.#hasInterrupted = false;
  }

  typed(text: string): void {
    this.#takeWriting(text, { text, format: 'text' });
  }

  /** A turn in writing: `text` for the model, `said` for the transcript. */
  #takeWriting(text: string, said: Pick<Said, 'text' | 'format'>): void {
    if (!this.#isListening()) return;
    const atMs = this.#now();
    this.#history.heard(text);
    this.#parts.events.report({ type: 'said', said: { id: randomUUID(), role: 'user', ...said, atMs } });
    this.#patience!.userSpoke(atMs);
    this.#respond({}, monotonicMs());
  }

  /** Nothing of the agent's answer is sent any more. Returns whether some of it was heard. */
  #interrupt(): boolean {
    const answer = this.#answer;
    if (!answer?.isOpen()) return false;
    this.#answer = undefined;
    const sentMs = answer.interrupt();
    this.#line!.clear();
    this.#next = this.#next.filter(({ text }) => text !== undefined);
    if (sentMs === undefined || sentMs === 0) return false;
    this.#counts.interrupted();
    this.#parts.events.report({ type: 'interrupted', sentMs: Math.round(sentMs) });
    return true;
  }

  #respond(wanted: Wanted, turnEndedMs?: number): void {
    if (this.#stopped.signal.aborted) return;
    this.#interrupt();
    const { settings, agent, events } = this.#parts;
    const line = this.#line!;
    const answer = createAnswer({
      line,
      speak: (text, signal) => speak(settings.tts, { text, voice: agent.voice, codec: line.codec }, signal),
      said: (said) => events.report({ type: 'said', said }),
      remember: this.#history.said(),
    });
    this.#answer = answer;
    this.#turnEndedMs = turnEndedMs;
    if (wanted.isLast === true) this.#isHangingUp = true;
    void this.#make(answer, wanted, turnEndedMs);
  }

  async #make(answer: Answer, wanted: Wanted, turnEndedMs: number | undefined): Promise<void> {
    let isStarved = false;
    const stopWatching = this.#watch(answer, () => void (isStarved = true));
    let next: Next = wanted.isLast === true ? 'hang-up' : undefined;
    try {
      next = (await this.#thinking.fill(answer, wanted)) ?? next;
      await answer.finish();
      this.#failures = 0;
    } catch (error) {
      if (answer.signal.aborted && !isStarved) return;
      const { response_timeout_ms: timeoutMs } = this.#parts.settings;
      const reason = isStarved ? new Error(`no sound for ${timeoutMs} ms (speech.response_timeout_ms)`) : error;
      if (answer.soundMs() === 0) return void this.#tryAgain(answer, wanted, { reason, turnEndedMs });
      if (!isStarved) await answer.finish().catch(() => undefined); // the sentences that are whole are still spoken
      countError(this.#parts.metrics, 'answer');
      this.#parts.events.log('warn', { error: messageOf(reason) }, 'an answer broke off');
    } finally {
      stopWatching();
    }
    this.#finished(answer, next);
  }

  async #tryAgain(
    answer: Answer,
    wanted: Wanted,
    { reason, turnEndedMs }: { reason: unknown; turnEndedMs: number | undefined },
  ): Promise<void> {
    if (this.#hasGivenUp('answer', reason) || this.#answer !== answer) return;
    await pause(retryPauseMs);
    if (this.#answer === answer) this.#respond(wanted, turnEndedMs);
  }

  /** Stops an answer that does not come, or does not go on. */
  #watch(answer: Answer, starved: () => void): () => void {
    const { response_timeout_ms: timeoutMs } = this.#parts.settings;
    const starvation = createStarvation(timeoutMs, monotonicMs());
    return every(Math.min(watchMs, timeoutMs / 4), () => {
      if (answer.signal.aborted) return;
      const [queuedMs, soundMs] = [this.#line!.queuedMs(), answer.soundMs()];
      if (!starvation.look(monotonicMs(), { queuedMs, soundMs, isAwaited: answer.isUsingTools })) return;
      starved();
      answer.interrupt();
    });
  }

  #finished(answer: Answer, next: Next): void {
    if (this.#answer !== answer || this.#stopped.signal.aborted) return;
    if (next === 'machine') {
      this.#isMachine = true;
      this.#interrupt();
      return this.#parts.events.machineSpeaks();
    }
    if (next === 'hang-up') {
      this.#isHangingUp = true;
      return this.#line!.hangUp({ status: 'completed', errorMessage: null, afterPlayed: true });
    }
    const following = this.#next.shift();
    if (following === undefined) return;
    this.#answer = undefined; // its sound is still queued, and stays
    this.#respond(following);
  }

  /** Counts a failure; after the third in a row the call is given up. */
  #hasGivenUp(what: string, error: unknown): boolean {
    if (this.#stopped.signal.aborted) return true;
    countError(this.#parts.metrics, what);
    this.#parts.events.log('warn', { error: messageOf(error) }, `the ${what} service failed`);
    this.#failures += 1;
    if (this.#failures < maxFailures) return false;
    void this.#giveUp(`The speech services failed ${maxFailures} times in a row: ${messageOf(error)}.`);
    return true;
  }

  async #giveUp(errorMessage: string): Promise<void> {
    const { events, agent } = this.#parts;
    if (this.#isHangingUp) return this.#line!.hangUp({ status: 'failed', errorMessage });
    this.#isHangingUp = true;
    this.#stopLooking();
    events.report({ type: 'speech_lost', reason: errorMessage });
    const { emergencyFallback: phone } = agent;
    if (phone !== null && (await this.#line!.transfer(phone).catch(messageOf)) === null) return;
    this.#line!.hangUp({ status: 'failed', errorMessage });
  }

  #look(): void {
    if (!this.#isListening()) return;
    const isBusy = this.#answer?.isOpen() === true;
    const nowMs = this.#now();
    const due = this.#patience!.look(nowMs, isBusy ? nowMs + 1 : 0);
    if (due === 'remind') this.#respond({ instructions: reminderInstructions });
    else if (due === 'hang-up') {
      this.#isHangingUp = true;
      this.#line!.hangUp({ status: 'completed', errorMessage: null });
    }
  }

  hear(audio: Uint8Array, atMs: number): void {
    this.#turns?.hear(audio, atMs);
  }

  key(digit: string): void {
    if (this.#isListening()) this.#keypad.press(digit);
  }

  held(isHeld: boolean): void {
    this.#patience?.held(isHeld, this.#now());
  }

  sending(item: string): void {
    if (this.#answer?.item !== item) return;
    this.#answer.begun(this.#now());
    if (this.#turnEndedMs !== undefined) this.#counts.turn(Math.round(monotonicMs() - this.#turnEndedMs));
    this.#turnEndedMs = undefined;
  }

  say(text: string): boolean {
    if (!this.#isListening()) return false;
    if (this.#answer?.isOpen() === true) this.#next.push({ text });
    else this.#respond({ text });
    return true;
  }

  facts(): ReturnType<SpeechSession['facts']> {
    return { ...this.#counts.facts(), engine: 'cascade' };
  }

  end(): ReturnType<SpeechSession['end']> {
    this.#stopped.abort();
    this.#stopLooking();
    this.#keypad.stop();
    this.#answer?.interrupt();
    this.#turns?.close();
    this.#turns = undefined;
    this.#counts.sessionClosed();
    return this.facts();
  }
}

export function openCascade(parts: CascadeParts): SpeechSession {
  const cascade = new Cascade(parts);
  return {
    answered: (line) => cascade.answered(line),
    begin: (opening) => cascade.begin(opening),
    hear: (audio, atMs) => cascade.hear(audio, atMs),
    key: (digit) => cascade.key(digit),
    typed: (text) => cascade.typed(text),
    held: (isHeld) => cascade.held(isHeld),
    sending: (item) => cascade.sending(item),
    say: (text) => cascade.say(text),
    facts: () => cascade.facts(),
    end: () => cascade.end(),
  };
}
