import { randomUUID } from 'node:crypto';
import { after, every, monotonicMs } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Line, Opening, SpeechSession } from '../../../telephony/audio/speech.ts';
import { openingInstructions, reminderInstructions, sayInstructions } from '../../conversation/instructions.ts';
import { createKeypad } from '../../conversation/keypad.ts';
import { createPatience, type Patience } from '../../conversation/patience.ts';
import { createResponses, type ResponseRequest } from '../../conversation/responses.ts';
import { createStarvation, type Starvation } from '../../conversation/starvation.ts';
import type { AgentInCall, EngineEvents, Said } from '../engine.ts';
import { countError, type SpeechMetrics } from '../metrics.ts';
import type { SpeechSettings } from '../settings.ts';
import { createAnswers } from './answers.ts';
import { type Connection, openConnection } from './connection.ts';
import { createCounts } from '../counts.ts';
import type { ServerEvent } from './server-event.ts';
import { createUplink } from './sound.ts';
import { createToolCalls } from './tool-calls.ts';

export type RealtimeTimes = {
  /** A session of this age is changed for a new one in the next pause: the service ends them after 60 minutes. */
  renewAfterMs: number;
  /** After a change that did not come about, the next attempt waits this long. */
  renewPauseMs: number;
  /** How long a new session in place of one that broke may take. */
  reconnectMs: number;
  /** How often silence and age are looked at. */
  lookEveryMs: number;
};

const usualTimes: RealtimeTimes = {
  renewAfterMs: 55 * 60_000,
  renewPauseMs: 5000,
  reconnectMs: 3000,
  lookEveryMs: 250,
};

export type RealtimeParts = {
  settings: SpeechSettings;
  metrics: SpeechMetrics;
  agent: AgentInCall;
  events: EngineEvents;
  times: Partial<RealtimeTimes>;
};

/** What is heard while there is no session: 10 s. */
const maxEarlyFrames = 500;
/** What a new session is told of the transcript. */
const maxRemembered = 200;
/** Answers that do not come, one after the other, after which speech is lost. */
const maxStrikes = 3;

/** An agent that talks through the realtime service. One closure a call, since all its parts share the call's state. */
export function openRealtime(parts: RealtimeParts): SpeechSession {
  const call = new RealtimeCall(parts);
  return {
    answered: (line) => call.answered(line),
    begin: (opening) => call.begin(opening),
    hear: (audio, atMs) => call.hear(audio, atMs),
    key: (digit) => call.key(digit),
    typed: (text) => call.typed(text),
    held: (isHeld) => call.held(isHeld),
    sending: (item) => call.sending(item),
    say: (text) => call.say(text),
    facts: () => call.facts(),
    end: () => call.end(),
  };
}

class RealtimeCall {
  readonly #parts: RealtimeParts;
  readonly #times: RealtimeTimes;
  readonly #counts;
  readonly #keypad = createKeypad((keys) => this.#takeWriting(`[keypad] ${keys}`, { text: keys, format: 'dtmf' }));
  readonly #responses = createResponses((request, eventId) => this.#ask(request.instructions, eventId));
  #connection: Connection | undefined;
  #isReady = false;
  #line: Line | undefined;
  #answers: ReturnType<typeof createAnswers> | undefined;
  #tools: ReturnType<typeof createToolCalls> | undefined;
  #uplink: ReturnType<typeof createUplink> | undefined;
  #patience: Patience | undefined;
  #answeredMs = 0;
  /** When a new session is to take the place of this one. */
  #renewMs = Infinity;
  #early: Uint8Array[] = [];
  /** What was heard before the verdict, for a server that commits nothing. */
  #heldBack: Uint8Array[] = [];
  /** The server hears what was held back: it was said before the agent began, so it interrupts nothing. */
  #isReplaying = false;
  /** Turns in writing that came while there was no session. */
  #unsent: string[] = [];
  /** The verdict on who has answered is awaited: turns are not detected, and nothing is said. */
  #isWaiting: boolean;
  /** The verdict came while there was no session. */
  #isVerdictUntold = false;
  /** The agent leaves its message on a mailbox. */
  #isLeaving = false;
  #isEnding = false;
  #isOver = false;
  /** Why there is no session and will be none. */
  #fault: string | undefined;
  #hasReconnected = false;
  #isLost = false;
  #strikes = 0;
  #isUserSpeaking = false;
  /** The service's id of the answer that runs, or ran last. */
  #runningId = '';
  /** The call's time at the beginning of what was appended, by which the service's times are those of the call. */
  #appendedOffsetMs = 0;
  #appendedMs = 0;
  /** When the other side's turn ended that has no answer yet. */
  #turnEndedMs: number | undefined;
  readonly #starvation: Starvation;
  #turnsBegun = new Map<string, number>();
  readonly #said = new Map<string, Said>();
  #cancelTimeout: (() => void) | undefined;
  #stopLooking: (() => void) | undefined;

  constructor(parts: RealtimeParts) {
    this.#parts = parts;
    this.#times = { ...usualTimes, ...parts.times };
    this.#counts = createCounts(parts.agent.model, parts.metrics);
    this.#isWaiting = parts.agent.detectsVoicemail;
    this.#starvation = createStarvation(parts.settings.response_timeout_ms, monotonicMs());
    this.#open(parts.settings.connect_timeout_ms, () => this.#askAgain(this.#responses.take()));
  }

  /** Opens a session, which takes the place of the present one when it is configured. */
  #open(timeoutMs: number, ready: () => void, failed = (reason: string): void => this.#lost(reason)): void {
    const { settings, agent, metrics } = this.#parts;
    let isCounted = false;
    const opened = openConnection(settings, agent, timeoutMs, {
      ready: () => {
        if (this.#isReady && this.#isHeard()) return this.#renewLater(opened); // a change that would be heard
        if (this.#connection !== opened) {
          this.#connection?.close();
          this.#connection = opened;
        }
        this.#isReady = true;
        this.#renewMs = monotonicMs() + this.#times.renewAfterMs;
        for (const frame of this.#early.splice(0)) this.#uplink?.push(frame);
        for (const text of this.#unsent.splice(0)) opened.add('user', text);
        if (this.#isVerdictUntold) this.#tellVerdict(ready);
        else ready();
      },
      event: (event) => {
        if (event.type === 'session.created' && !isCounted) {
          isCounted = true;
          this.#counts.sessionOpened();
        }
        if (this.#connection === opened && !this.#isOver) this.#onEvent(event);
      },
      commitRefused: () => this.#appendHeldBack(),
      nonsense: () => countError(metrics, 'not_json'),
      lost: (reason) => {
        if (isCounted) this.#counts.sessionClosed();
        isCounted = false;
        if (this.#isOver) return;
        if (this.#connection === opened) this.#connection = undefined;
        failed(reason);
      },
    });
    const close = opened.close.bind(opened);
    opened.close = () => {
      close();
      if (isCounted) this.#counts.sessionClosed();
      isCounted = false;
    };
    this.#pending = opened;
    this.#connection ??= opened;
    if (this.#line) opened.configure(this.#line.codec, this.#turnDetection(), this.#transcript());
  }
  /** The session that was opened last. */
  #pending: Connection | undefined;

  #askAgain(requests: readonly ResponseRequest[]): void {
    for (const request of requests) this.#responses.request(request);
  }

  #turnDetection() {
    return this.#isWaiting || this.#isVerdictUntold || this.#isLeaving
      ? null
      : { type: this.#parts.settings.realtime.turn_detection };
  }

  #transcript = (): Said[] => [...this.#said.values()].toSorted((a, b) => a.atMs - b.atMs);

  answered(line: Line): void {
    const { agent, settings, events } = this.#parts;
    const { audio } = settings.realtime;
    this.#line = line;
    this.#answeredMs = monotonicMs();
    this.#patience = createPatience(agent, 0);
    this.#answers = createAnswers(line, audio, {
      said: (said) => this.#tell(said),
      isCut: () => {
        countError(this.#parts.metrics, 'audio_cut');
        events.log('warn', {}, 'more than 60 s of an answer wait to be played; the rest is cut');
      },
    });
    this.#tools = createToolCalls(agent, line, {
      tool: (use) => events.tool(use),
      used: (name, fault) => events.report({ type: 'tool', name, fault }),
      machineSpeaks: () => events.machineSpeaks(),
      endCall: () => this.#endCall(),
      output: (id, output) =>
        this.#connection?.send({
          type: 'conversation.item.create',
          item: { type: 'function_call_output', call_id: id, output },
        }),
      answered: () => this.#responses.request({}),
    });
    this.#uplink = createUplink(line.codec, audio, (sound) =>
      this.#connection?.send({ type: 'input_audio_buffer.append', audio: sound }),
    );
    this.#stopLooking = every(this.#times.lookEveryMs, () => this.#look());
    if (this.#fault !== undefined) return this.#lost(this.#fault);
    this.#pending?.configure(line.codec, this.#turnDetection(), []);
  }

  begin(opening: Opening): void {
    if (opening === 'mailbox') return this.#leaveMessage();
    const wasWaiting = this.#isWaiting;
    this.#isWaiting = false;
    this.#isVerdictUntold = wasWaiting && !this.#isReady;
    const request = { instructions: openingInstructions(this.#parts.agent, opening === 'unclear') };
    if (wasWaiting && this.#isReady) this.#tellVerdict(() => this.#responses.request(request));
    else this.#responses.request(request);
  }

  /** Ends the turn of all that was heard so far, asks for its one answer, and then has the service detect turns itself. */
  #tellVerdict(ask: () => void): void {
    this.#isVerdictUntold = false;
    this.#uplink?.flush();
    if (this.#appendedMs >= minCommitMs) this.#connection?.commit();
    ask();
    this.#connection?.setTurnDetection(this.#turnDetection());
  }

  /** The server hears it with its own detection of turns, which is on by now. */
  #appendHeldBack(): void {
    this.#isReplaying = this.#heldBack.length > 0;
    for (const frame of this.#heldBack.splice(0)) this.#uplink?.push(frame);
  }

  #leaveMessage(): void {
    this.#heldBack = [];
    this.#isLeaving = true;
    this.#isWaiting = false;
    this.#line?.clear();
    if (this.#isReady) this.#connection?.setTurnDetection(null);
    if (this.#responses.isRunning()) this.#connection?.send({ type: 'response.cancel' });
    const { voicemailMessage } = this.#parts.agent;
    this.#responses.forgetWaiting();
    this.#responses.request({ instructions: sayInstructions(voicemailMessage ?? ''), isLast: true });
  }

  #ask(instructions: string | undefined, eventId: string): void {
    if (!this.#isReady) return; // asked again when there is a session
    this.#connection?.send({
      type: 'response.create',
      event_id: eventId,
      ...(instructions !== undefined && { response: { instructions } }),
    });
    this.#awaitAnswer();
  }

  hear(audio: Uint8Array, atMs: number): void {
    this.#appendedOffsetMs = atMs - this.#appendedMs;
    this.#appendedMs += audio.length / 8;
    if (this.#isWaiting && this.#heldBack.length < maxEarlyFrames) this.#heldBack.push(audio);
    if (this.#isReady) this.#uplink?.push(audio);
    else if (this.#early.length < maxEarlyFrames) this.#early.push(audio);
  }

  key(digit: string): void {
    this.#patience?.userSpoke(this.#nowMs());
    this.#keypad.press(digit);
  }

  typed(text: string): void {
    if (this.#isLeaving || this.#isEnding) return;
    this.#patience?.userSpoke(this.#nowMs());
    this.#interrupt({ isWritten: true });
    this.#takeWriting(text, { text, format: 'text' });
  }

  /** A turn in writing: `text` for the model, `said` for the transcript. */
  #takeWriting(text: string, said: Pick<Said, 'text' | 'format'>): void {
    if (this.#isOver) return;
    this.#tell({ id: randomUUID(), role: 'user', ...said, atMs: this.#nowMs() });
    if (this.#isReady) this.#connection?.add('user', text);
    else this.#unsent.push(text);
    if (this.#isWaiting) return; // answered with the opening
    this.#turnEndedMs = monotonicMs();
    this.#responses.request({});
  }

  held(isHeld: boolean): void {
    this.#patience?.held(isHeld, this.#nowMs());
  }

  sending(item: string): void {
    if (!this.#answers?.sending(item, this.#nowMs()) || this.#turnEndedMs === undefined) return;
    this.#counts.turn(monotonicMs() - this.#turnEndedMs);
    this.#turnEndedMs = undefined;
  }

  say(text: string): boolean {
    if (!this.#line || this.#isOver || this.#isLeaving || this.#fault !== undefined) return false;
    this.#responses.request({ instructions: sayInstructions(text) });
    return true;
  }

  facts() {
    return this.#counts.facts();
  }

  end() {
    this.#isOver = true;
    this.#cancelTimeout?.();
    this.#stopLooking?.();
    this.#keypad.stop();
    this.#tools?.stop();
    this.#uplink?.stop();
    this.#answers?.stop();
    if (this.#pending !== this.#connection) this.#pending?.close();
    this.#connection?.close();
    this.#early = [];
    this.#heldBack = [];
    return this.#counts.facts();
  }

  #nowMs = (): number => Math.round(monotonicMs() - this.#answeredMs);

  #tell(said: Said): void {
    this.#said.set(said.id, said);
    if (this.#said.size > maxRemembered) this.#said.delete(this.#said.keys().next().value!);
    this.#parts.events.report({ type: 'said', said });
  }

  #onEvent(event: ServerEvent): void {
    const { item_id: item = '', response_id: response = '' } = event;
    switch (event.type) {
      case 'response.output_audio.delta':
        this.#gotSound();
        return this.#answers?.audio(item, response, event.delta ?? '');
      case 'response.output_audio.done':
        return this.#answers?.audioDone(item, response);
      case 'response.output_audio_transcript.delta':
        return this.#answers?.text(item, response, event.delta ?? '');
      case 'response.output_audio_transcript.done':
        return this.#answers?.textDone(item, response, event.transcript ?? '');
      case 'input_audio_buffer.speech_started':
        return this.#userSpeaks(item, event.audio_start_ms);
      case 'input_audio_buffer.speech_stopped':
        return this.#userSpoke();
      case 'conversation.item.input_audio_transcription.completed':
        return this.#heardText(item, event.transcript ?? '');
      case 'response.created':
        this.#runningId = event.response?.id ?? '';
        this.#responses.created();
        return this.#awaitAnswer();
      case 'response.done':
        return this.#responseDone(event);
      case 'error':
        return this.#onError(event);
      default:
        this.#tools?.event(event);
        if (this.#tools?.isBusy()) this.#gotSound();
    }
  }

  /** The service answers: it is given time for the next answer anew. */
  #gotSound(): void {
    this.#cancelTimeout?.();
    this.#cancelTimeout = undefined;
    this.#strikes = 0;
  }

  #awaitAnswer(): void {
    if (this.#cancelTimeout || this.#isOver) return;
    this.#cancelTimeout = after(this.#parts.settings.response_timeout_ms, () => this.#noAnswer());
  }

  #noAnswer(): void {
    this.#cancelTimeout = undefined;
    this.#strikes += 1;
    countError(this.#parts.metrics, 'no_answer');
    if (this.#strikes >= maxStrikes) {
      const reason = 'the speech service gave no answer in time, three times in a row (speech.response_timeout_ms)';
      this.#parts.events.report({ type: 'speech_lost', reason });
      return this.#giveUp(reason);
    }
    if (this.#responses.isRunning()) this.#connection?.send({ type: 'response.cancel' });
    const [request] = this.#responses.take();
    this.#responses.request(request ?? {});
  }

  #userSpeaks(item: string, startMs: number | undefined): void {
    this.#isUserSpeaking = true;
    this.#patience?.userSpeaks();
    if (this.#turnsBegun.size >= maxRemembered) this.#turnsBegun.delete(this.#turnsBegun.keys().next().value!);
    const atMs = startMs === undefined ? this.#nowMs() : Math.round(startMs + this.#appendedOffsetMs);
    this.#turnsBegun.set(item, Math.max(0, Math.min(this.#nowMs(), atMs)));
    if (!this.#isLeaving && !this.#isEnding && !this.#isReplaying) this.#interrupt();
  }

  /** An answer that was heard in part is cancelled by the service itself when somebody speaks, not when somebody writes. */
  #interrupt({ isWritten = false } = {}): void {
    const { events } = this.#parts;
    const cut = this.#answers?.interrupt(this.#responses.isRunning() ? this.#runningId : undefined);
    if (this.#responses.isRunning() && (isWritten || cut === undefined || cut.isUnheard)) {
      this.#connection?.send({ type: 'response.cancel' });
    }
    if (!cut || cut.isUnheard) return;
    for (const { id, audioEndMs } of cut.truncations) {
      this.#connection?.truncate(id, audioEndMs, cut.heard.get(id) ?? '');
    }
    this.#counts.interrupted();
    events.report({ type: 'interrupted', sentMs: Math.round(cut.sentMs) });
  }

  #userSpoke(): void {
    this.#isUserSpeaking = false;
    this.#isReplaying = false;
    this.#patience?.userSpoke(this.#nowMs());
    if (this.#isLeaving) return;
    this.#turnEndedMs = monotonicMs();
    this.#awaitAnswer();
  }

  #heardText(item: string, transcript: string): void {
    const text = transcript.slice(0, maxHeardChars).trim();
    if (text === '') return;
    const atMs = this.#turnsBegun.get(item) ?? this.#nowMs();
    this.#tell({ id: randomUUID(), role: 'user', text, format: 'text', atMs });
  }

  #responseDone(event: ServerEvent): void {
    const { response } = event;
    this.#counts.usage(event);
    this.#answers?.responseDone(response?.id ?? '');
    if (response?.status === 'failed') {
      const { code, message } = response.status_details?.error ?? {};
      this.#noteError(code ?? 'response_failed', message ?? 'an answer failed');
    } else this.#gotSound();
    const request = this.#responses.done();
    if (this.#isEnding || (request?.isLast === true && response?.status !== 'failed')) {
      this.#line?.hangUp({ status: 'completed', errorMessage: null, afterPlayed: true });
    }
  }

  #endCall(): void {
    this.#isEnding = true;
    if (!this.#responses.isRunning()) {
      this.#line?.hangUp({ status: 'completed', errorMessage: null, afterPlayed: true });
    }
  }

  #noteError(code: string, message: string): void {
    countError(this.#parts.metrics, code);
    this.#parts.events.log('warn', { code, error: message.slice(0, 500) }, 'the speech service reported an error');
  }

  #onError({ error }: ServerEvent): void {
    const code = error?.code ?? error?.type ?? 'error';
    this.#noteError(code, error?.message ?? '');
    const isBusy = /active_response/.test(code);
    this.#responses.refused(error?.event_id ?? '', isBusy);
  }

  /** Looks every quarter of a second whether silence or the session's age want something. */
  #look(): void {
    const line = this.#line;
    if (!line || !this.#patience || this.#isOver || this.#fault !== undefined) return;
    this.#endIfStuck(line);
    if (this.#isEnding) return;
    const nowMs = this.#nowMs();
    const isBusy = this.#isBusy();
    const queuedMs = line.queuedMs();
    const due = this.#patience.look(nowMs, nowMs + queuedMs + (isBusy ? 1 : 0));
    if (due === 'hang-up') line.hangUp({ status: 'completed', errorMessage: null });
    else if (due === 'remind') this.#responses.request({ instructions: reminderInstructions });
    else if (!this.#isHeard()) this.#renewIfOld();
  }

  /** An answer that does not go on counts as done, or the agent would be taken for speaking until the call's end. */
  #endIfStuck(line: Line): void {
    const nowMs = monotonicMs();
    if (!this.#responses.isRunning()) return this.#starvation.reset(nowMs);
    const isAwaited = this.#cancelTimeout !== undefined || this.#tools?.isBusy() === true;
    const [queuedMs, soundMs] = [line.queuedMs(), this.#answers!.receivedMs()];
    if (!this.#starvation.look(nowMs, { queuedMs, soundMs, isAwaited })) return;
    const id = this.#runningId;
    this.#starvation.reset(nowMs);
    this.#noteError('no_answer', 'an answer stopped before its end (speech.response_timeout_ms)');
    this.#connection?.send({ type: 'response.cancel' });
    this.#responseDone({ type: 'response.done', response: { id, status: 'incomplete' } });
    this.#answers!.drop(id); // what still comes of it would be taken for speech
  }

  /** Somebody speaks or is about to, so that a change of the session would be heard. */
  #isHeard = (): boolean => this.#isBusy() || this.#isUserSpeaking || this.#line!.queuedMs() > 0;

  #isBusy(): boolean {
    return this.#isWaiting || this.#isLeaving || this.#responses.isActive() || this.#tools?.isBusy() === true;
  }

  #renewIfOld(): void {
    if (!this.#isReady || monotonicMs() < this.#renewMs) return;
    const { connect_timeout_ms: timeoutMs } = this.#parts.settings;
    this.#renewMs = Infinity; // not again while the new one is opened
    this.#open(
      timeoutMs,
      () => undefined,
      () => this.#renewLater(),
    );
  }

  /** The conversation went on meanwhile, or the service has no session for us now: the present one has some minutes left. */
  #renewLater(opened?: Connection): void {
    opened?.close();
    this.#pending = this.#connection;
    this.#renewMs = monotonicMs() + this.#times.renewPauseMs;
  }

  /** The session broke, or could not be opened: there is one new one, told what was said. */
  #lost(reason: string): void {
    if (this.#isOver || this.#isLost) return;
    this.#isReady = false;
    countError(this.#parts.metrics, 'session_lost');
    if (!this.#line) {
      this.#fault = reason;
      return;
    }
    this.#fault = undefined;
    this.#parts.events.report({ type: 'speech_lost', reason });
    this.#parts.events.log('warn', { reason }, 'a speech session was lost');
    if (this.#hasReconnected) return this.#giveUp(reason);
    this.#hasReconnected = true;
    const isOwed = this.#turnEndedMs !== undefined || this.#isUserSpeaking;
    const open = this.#responses.take();
    this.#isUserSpeaking = false;
    this.#cancelTimeout?.();
    this.#cancelTimeout = undefined;
    const timeoutMs = Math.min(this.#times.reconnectMs, this.#parts.settings.connect_timeout_ms);
    this.#open(
      timeoutMs,
      () => {
        this.#parts.events.report({ type: 'speech_back' });
        this.#askAgain([...this.#responses.take(), ...open]);
        if (open.length === 0 && isOwed) this.#responses.request({});
      },
      (fault) => this.#giveUp(fault),
    );
  }

  /** There is no speech any more: the call is handed on, or ends. */
  #giveUp(reason: string): void {
    if (this.#isLost || this.#isOver) return;
    this.#isLost = true;
    this.#fault = reason;
    this.#isReady = false;
    const { emergencyFallback } = this.#parts.agent;
    const line = this.#line!;
    const fail = (): void => line.hangUp({ status: 'failed', errorMessage: `The speech service was lost: ${reason}.` });
    if (emergencyFallback === null) return fail();
    void this.#handOn(line, emergencyFallback).then((isDone) => (isDone ? undefined : fail()));
  }

  async #handOn(line: Line, phone: string): Promise<boolean> {
    const refusal = await line.transfer(phone).catch(messageOf);
    if (refusal === null || this.#isOver) return true;
    this.#parts.events.log('warn', { refusal }, 'the call could not be handed to emergencyFallback');
    return false;
  }
}

/** Of a turn of the other side; nobody says more without a pause. */
const maxHeardChars = 20_000;
/** The service refuses to commit less. */
const minCommitMs = 100;
