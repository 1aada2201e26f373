import { randomUUID } from 'node:crypto';
import type { Line } from '../../../telephony/audio/speech.ts';
import { heardPart, type Interruption, interruptionOf } from '../../conversation/interruption.ts';
import type { Said } from '../engine.ts';
import { createConversion } from './conversion.ts';
import { createDownlink } from './sound.ts';

type Answer = {
  id: string;
  responseId: string;
  receivedMs: number;
  /** All its audio has come. */
  isComplete: boolean;
  text: string;
  isTextComplete: boolean;
  /** When its first packet was sent; undefined: not yet. */
  begunMs: number | undefined;
  /** It was interrupted: this share of it was heard. */
  heardShare: number | undefined;
  saidId: string;
  downlink: ReturnType<typeof createDownlink>;
};

export type Cut = Interruption & {
  sentMs: number;
  /** What was heard of each item. */
  heard: ReadonlyMap<string, string>;
};

/** The last answers; older ones are of no interest. */
const maxAnswers = 16;

const newAnswer = (id: string, responseId: string, downlink: Answer['downlink']): Answer => ({
  id,
  responseId,
  receivedMs: 0,
  isComplete: false,
  text: '',
  isTextComplete: false,
  begunMs: undefined,
  heardShare: undefined,
  saidId: randomUUID(),
  downlink,
});

/** The sound of all answers, in order, converted and played. */
function createSound(line: Line, isCut: () => void) {
  let receivedMs = 0;

  /** There is no room for it: it is not even converted. */
  function pass(answer: Answer, bytes: number): void {
    answer.receivedMs += answer.downlink.lengthMs(bytes);
    isCut();
  }

  const conversion = createConversion<Answer>({
    hasRoom: () => line.queuedMs() < fullMs,
    play(answer, sound) {
      const ms = sound.length / 8;
      answer.receivedMs += ms;
      receivedMs += ms;
      if (ms > 0 && line.play(sound, answer.id) < ms && line.queuedMs() >= fullMs) isCut();
    },
    passed: pass,
    ended: (answer) => void (answer.isComplete = true),
  });

  return {
    add(answer: Answer, base64: string): void {
      if (line.queuedMs() + conversion.waitingMs() >= fullMs) pass(answer, (base64.length * 3) / 4);
      else conversion.add(answer, Buffer.from(base64, 'base64'));
    },
    end: (answer: Answer): void => conversion.add(answer, null),
    drop: conversion.drop,
    receivedMs: (): number => receivedMs,
  };
}

/** Keeps the last ones alone. */
function addLast(ids: Set<string>, id: string): void {
  ids.add(id);
  if (ids.size > maxAnswers) ids.delete(ids.values().next().value!);
}

/** The agent's answers in a call: their sound goes to the line, their text to the transcript when it has begun to be spoken. */
export function createAnswers(line: Line, audio: 'g711' | 'pcm', events: { said(said: Said): void; isCut(): void }) {
  const answers = new Map<string, Answer>();
  /** Answers of the service that were interrupted: nothing of them is played any more. */
  const droppedResponses = new Set<string>();

  function answerOf(id: string, responseId: string): Answer {
    const known = answers.get(id);
    if (known) return known;
    if (answers.size >= maxAnswers) answers.delete(answers.keys().next().value!);
    const made = newAnswer(id, responseId, createDownlink(line.codec, audio));
    answers.set(id, made);
    return made;
  }

  function tell({ saidId, text, isTextComplete, begunMs, heardShare }: Answer): void {
    if (begunMs === undefined || text === '' || (!isTextComplete && heardShare === undefined)) return;
    const heard = heardShare === undefined ? text : heardPart(text, heardShare);
    events.said({ id: saidId, role: 'agent', text: heard, format: 'text', atMs: begunMs });
  }

  const sound = createSound(line, () => events.isCut());

  function drop(responseId: string): void {
    sound.drop((answer) => answer.responseId === responseId);
    addLast(droppedResponses, responseId);
  }

  const isDropped = (responseId: string): boolean => droppedResponses.has(responseId);

  return {
    /** Nothing of this answer of the service is played any more. */
    drop,
    audio(id: string, responseId: string, base64: string): void {
      if (isDropped(responseId)) return;
      sound.add(answerOf(id, responseId), base64);
    },
    audioDone(id: string, responseId: string): void {
      if (isDropped(responseId)) return;
      sound.end(answerOf(id, responseId));
    },
    text(id: string, responseId: string, delta: string): void {
      const answer = answerOf(id, responseId);
      if (!answer.isTextComplete) answer.text += delta.slice(0, maxTextChars - answer.text.length);
    },
    textDone(id: string, responseId: string, transcript: string): void {
      const answer = answerOf(id, responseId);
      answer.text = transcript.slice(0, maxTextChars);
      answer.isTextComplete = true;
      tell(answer);
    },
    /** The call is over. */
    stop: (): void => sound.drop(() => true),
    /** Of all answers. */
    receivedMs: sound.receivedMs,
    responseDone(responseId: string): void {
      for (const answer of answers.values()) {
        if (answer.responseId === responseId) answer.isComplete = true;
      }
      droppedResponses.delete(responseId);
    },
    /** The first packet of an item was sent. */
    sending(id: string, atMs: number): boolean {
      const answer = answers.get(id);
      if (!answer || answer.begunMs !== undefined) return false;
      answer.begunMs = atMs;
      tell(answer);
      return true;
    },
    /**
     * Drops what is queued, and what still comes of the answer that runs, of which nothing may have come yet. Undefined if nothing was cut
     * off.
     */
    interrupt(runningId?: string): Cut | undefined {
      if (runningId !== undefined) drop(runningId);
      const cut = cutOff([...answers.values()], line);
      sound.drop(() => true);
      line.clear();
      for (const answer of cut?.answers ?? []) {
        if (!answer.isComplete) drop(answer.responseId);
        tell(answer);
      }
      return cut;
    },
  };
}

const maxTextChars = 20_000;
/** A line takes 60 s at most. */
const fullMs = 59_000;

/** Notes in each answer that was not sent whole how much of it was heard. */
function cutOff(answers: readonly Answer[], line: Line): (Cut & { answers: Answer[] }) | undefined {
  const open = answers.filter(({ heardShare, receivedMs }) => heardShare === undefined && receivedMs > 0);
  const items = open.map((answer) => ({ answer, ...answer, sentMs: line.sentMs(answer.id) }));
  const interruption = interruptionOf(items);
  if (!interruption) return undefined;
  const cut = items.filter(({ isComplete, sentMs, receivedMs }) => !isComplete || sentMs < receivedMs);
  const heard = new Map<string, string>();
  for (const { answer, sentMs, receivedMs } of cut) {
    answer.heardShare = sentMs / receivedMs;
    heard.set(answer.id, sentMs < 1 ? '' : heardPart(answer.text, answer.heardShare));
  }
  const sentMs = cut.reduce((sum, item) => sum + item.sentMs, 0);
  return { ...interruption, sentMs, heard, answers: cut.map(({ answer }) => answer) };
}
