/** How much of an agent's answer arrived from the speech service, and how much of it was sent to the other side. */
export type Item = { id: string; receivedMs: number; sentMs: number; isComplete: boolean };

export type Interruption = {
  /** The items to truncate, and where. The service refuses 0 and more than came. */
  truncations: Array<{ id: string; audioEndMs: number }>;
  /** Nothing of the answer was sent: there is nothing to truncate. */
  isUnheard: boolean;
};

/**
 * What an interruption cuts off, from what was sent of each item: what was queued was not heard, and a wall clock counts pauses of the
 * service as speech. Undefined when nothing is cut off.
 */
export function interruptionOf(items: readonly Item[]): Interruption | undefined {
  const cut = items.filter(({ receivedMs, sentMs, isComplete }) => !isComplete || sentMs < receivedMs);
  if (cut.length === 0) return undefined;
  const truncations = cut.flatMap(({ id, receivedMs, sentMs }) => {
    const audioEndMs = Math.floor(Math.min(sentMs, receivedMs));
    return audioEndMs >= 1 ? [{ id, audioEndMs }] : [];
  });
  return { truncations, isUnheard: truncations.length === 0 };
}

/** About the share of a text that was heard; it ends in `…`. */
export function heardPart(text: string, share: number): string {
  const end = Math.round(text.length * Math.max(0, Math.min(1, share)));
  const part = text.slice(0, end);
  const isInWord = /\S/.test(text.charAt(end)) && /\S$/.test(part);
  return `${(isInWord ? part.slice(0, startOfLastWord(part)) || part : part).trimEnd()}…`;
}

/** By hand: a pattern would look from each letter of a long word on. */
function startOfLastWord(text: string): number {
  let start = text.length;
  while (start > 0 && /\S/.test(text.charAt(start - 1))) start -= 1;
  return start;
}
