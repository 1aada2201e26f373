import type { Codec } from './g711.ts';

/**
 * Between a channel (SIP, the browser) and the agent that talks in it. Audio is G.711 at 8 kHz in the codec of the call. The clocks of the
 * two directions drift, so nothing may assume that as many milliseconds come as are sent; after a lost packet up to 100 ms come at once.
 */

/** Why this side ends a call. `afterPlayed`: what is queued is played first. */
export type HangUp = { status: 'completed' | 'failed'; errorMessage: string | null; afterPlayed?: boolean };

/** An answered call as the agent sees it. */
export type Line = {
  codec: Codec;
  /**
   * Queues audio to be sent and returns how many milliseconds of it were taken: 60 s may wait, the rest is cut. Keeps a reference, so the
   * bytes must not be changed afterwards. `item` names the answer that the audio belongs to.
   */
  play(audio: Uint8Array, item: string): number;
  /** Drops what is queued and returns its milliseconds. */
  clear(): number;
  /** Milliseconds sent of what was played for the item: the only measure of what the other side may have heard. */
  sentMs(item: string): number;
  /** Milliseconds that are queued and not yet sent. */
  queuedMs(): number;
  /** Sends key presses (`0-9*#ABCD`); false if the other side takes none. */
  sendKeys(digits: string): boolean;
  hangUp(how: HangUp): void;
  /** Hands the call on to a phone (E.164). Resolves with null when that is done, else with the refusal in the other side's words. */
  transfer(to: string): Promise<string | null>;
};

/** The field `speech` of a call, whose names it has. */
export type SpeechFacts = {
  engine: 'realtime' | 'cascade' | 'echo';
  model: string | null;
  sessions: number;
  turns: number;
  interruptions: number;
  /** As the speech service counts them; null if it does not. */
  input_tokens: number | null;
  output_tokens: number | null;
};

/** The median, over turns, from the end of the other side's turn to the first packet of the answer; null without a turn. */
export type SpokenFacts = SpeechFacts & { latencyMs: number | null };

/**
 * How the agent may begin: with a person, with somebody who may be a machine, or by leaving its message on a mailbox. After the message the
 * agent hangs up.
 */
export type Opening = 'person' | 'unclear' | 'mailbox';

/** An agent in one call. A channel opens it when the call rings, and calls its methods. */
export type SpeechSession = {
  /** The call is answered. The agent says nothing before `begin`. */
  answered(line: Line): void;
  /** Whoever decides what has answered (the verdict on a voicemail) calls this after `answered`; `mailbox` may follow later, too. */
  begin(opening: Opening): void;
  /** Audio of the other side, in order, silence for lost packets; mostly 20 ms. `atMs`: its place in the time since the answer. */
  hear(audio: Uint8Array, atMs: number): void;
  /** The other side pressed a key (`0-9*#ABCD`). */
  key(digit: string): void;
  /** The other side holds the call, or has taken it back. Nothing is heard meanwhile. */
  held(isHeld: boolean): void;
  /** The first packet of an item was sent. */
  sending(item: string): void;
  /** The other side types a turn instead of speaking, which interrupts the agent as well. Only some channels can. */
  typed(text: string): void;
  /** Says the text next; false if this engine cannot. */
  say(text: string): boolean;
  /** The figures so far. */
  facts(): SpokenFacts;
  /** The call is over, answered or not. Called once; nothing is called after it but `facts`. */
  end(): SpokenFacts;
};
