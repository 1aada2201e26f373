/** Cuts a text that comes piece by piece into parts to be spoken. */
export type Sentences = {
  /** The parts that are complete now. */
  push(piece: string): string[];
  /** The rest. */
  end(): string[];
};

/** The first part may end at a clause, so that the voice begins early; a shorter one would sound torn off. */
const minClauseCharacters = 12;
/** Longer ones are cut between two words: a voice service refuses, or is late with, what is too long. */
const maxCharacters = 300;

/** The end of a sentence: its mark, closing quotes, and what shows that it is over. */
const sentenceEnd = /[.!?…]+["'»”’)\]]*(?=\s)|[。！？]["」』]*|\n+/gu;
const clauseEnd = /[,;:–—](?=\s)|[、，；]/gu;
/** A dot after one of these ends no sentence: abbreviations, single letters and numbers ("am 5. Mai"). */
const noEnd =
  /(?:^|[\s(.])(?:\p{L}|\d{1,3}|Dr|Mr|Mrs|Ms|Prof|St|Sr|Sra|Jr|Nr|No|bzw|ca|evtl|ggf|inkl|usw|vs|approx|etc|Hr|Fr|Mme|M)\.$/u;

function endIn(text: string, pattern: RegExp, minCharacters: number): number | undefined {
  for (const match of text.matchAll(pattern)) {
    const end = match.index + match[0].length;
    const part = text.slice(0, end);
    if (part.trim().length >= minCharacters && !(match[0].startsWith('.') && noEnd.test(part))) return end;
  }
  return undefined;
}

export function createSentences(): Sentences {
  let rest = '';
  let isFirst = true;

  function endOfPart(): number | undefined {
    // What is behind is not looked at: a text of a megabyte would be looked through for each of its parts.
    const head = rest.slice(0, maxCharacters + 2);
    const end = endIn(head, sentenceEnd, 1);
    const clause = isFirst ? endIn(head, clauseEnd, minClauseCharacters) : undefined;
    const first = Math.min(end ?? Infinity, clause ?? Infinity);
    if (first <= maxCharacters) return first;
    if (rest.length <= maxCharacters) return undefined;
    const space = rest.lastIndexOf(' ', maxCharacters);
    return space > 0 ? space : maxCharacters;
  }

  return {
    push(piece) {
      rest += piece;
      const parts: string[] = [];
      for (let end = endOfPart(); end !== undefined; end = endOfPart()) {
        const part = rest.slice(0, end).trim();
        rest = rest.slice(end);
        if (part === '') continue;
        parts.push(part);
        isFirst = false;
      }
      return parts;
    },
    end() {
      const part = rest.trim();
      rest = '';
      return part === '' ? [] : [part];
    },
  };
}
