/** What of a model's text is spoken. */

const open = '<think>';
const close = '</think>';

/** Takes a text piece by piece and leaves out what stands between `<think>` and `</think>`, also where a mark is cut in two. */
export function withoutThoughts(): { push(piece: string): string; end(): string } {
  let rest = '';
  let isThinking = false;

  /** The longest end of the text that may be the beginning of the mark. */
  function heldBack(text: string, mark: string): number {
    for (let length = Math.min(mark.length - 1, text.length); length > 0; length -= 1)
      if (mark.startsWith(text.slice(-length))) return length;
    return 0;
  }

  return {
    push(piece) {
      rest += piece;
      let visible = '';
      for (;;) {
        const mark = isThinking ? close : open;
        const at = rest.indexOf(mark);
        const end = at === -1 ? rest.length - heldBack(rest, mark) : at;
        if (!isThinking) visible += rest.slice(0, end);
        rest = rest.slice(at === -1 ? end : at + mark.length);
        if (at === -1) return visible;
        isThinking = !isThinking;
      }
    },
    end() {
      const text = isThinking ? '' : rest;
      rest = '';
      isThinking = false;
      return text;
    },
  };
}

/** Emoji with what joins and colours them. Digits, `#` and `*` count as emoji in Unicode and are none here. */
const emoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}|[\u{1F3FB}-\u{1F3FF}]|\u200D|\uFE0F|\u20E3/gu;

/** A sentence without Markdown's marks and emoji. */
export const speakable = (text: string): string =>
  text
    .replace(/```[^\n]*\n?/g, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s{0,3}(?:#{1,6}|>|[-*+])\s+/gm, '')
    .replace(/\*\*|__|~~|`/g, '')
    .replace(/(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/gu, '')
    .replace(/^\s*\|?(?:\s*:?-{3,}:?\s*\|?)+\s*$/gm, '')
    .replace(emoji, '')
    .replace(/\s+/g, ' ')
    .trim();
