/** Sound of a sentence as far as it has come. */
type Fetched = {
  chunks: Uint8Array[];
  isDone: boolean;
  error: unknown;
  /** Resolves when one of these changes. */
  changed: PromiseWithResolvers<void>;
};

export type SpeakerParts = {
  /** Asks the service for the sound of a sentence. */
  speak(this: void, text: string): AsyncIterable<Uint8Array>;
  /** Takes the next sound, in order; may wait until there is room. */
  play(this: void, audio: Uint8Array, text: string): Promise<void>;
};

/** Speaks sentences one after the other. The next one is asked for as soon as the one before has begun to come. */
export type Speaker = {
  add(text: string): void;
  /** The sound of some sentence is still to be taken. */
  isBusy(): boolean;
  /** No further sentence follows. Resolves when the sound of all is taken; rejects when the service fails. */
  finish(): Promise<void>;
};

/** Of one sentence: a service that never stops must not fill the memory. 60 s. */
const maxSentenceBytes = 60 * 8000;

function change(fetched: Fetched): void {
  fetched.changed.resolve();
  fetched.changed = Promise.withResolvers<void>();
}

/** Asks for the sound of a sentence, which is kept as it comes. */
function fetchSound(speak: SpeakerParts['speak'], text: string): Fetched {
  const fetched: Fetched = { chunks: [], isDone: false, error: undefined, changed: Promise.withResolvers<void>() };
  const pull = async (): Promise<void> => {
    let bytes = 0;
    for await (const chunk of speak(text)) {
      bytes += chunk.length;
      if (chunk.length > 0) fetched.chunks.push(chunk);
      change(fetched);
      if (bytes > maxSentenceBytes) return;
    }
  };
  void pull()
    .catch((error: unknown) => void (fetched.error = error))
    .finally(() => {
      fetched.isDone = true;
      change(fetched);
    });
  return fetched;
}

export function createSpeaker({ speak, play }: SpeakerParts, signal: AbortSignal): Speaker {
  const waiting: string[] = [];
  let open = 0;
  let next: { text: string; fetched: Fetched } | undefined;
  let hasBegun = false;
  let isComplete = false;
  let more = Promise.withResolvers<void>();

  function prefetch(): void {
    const text = hasBegun && !next ? waiting.shift() : undefined;
    if (text !== undefined) next = { text, fetched: fetchSound(speak, text) };
  }

  async function playAll({ text, fetched }: { text: string; fetched: Fetched }): Promise<void> {
    hasBegun = false;
    for (;;) {
      for (let chunk = fetched.chunks.shift(); chunk; chunk = fetched.chunks.shift()) {
        hasBegun = true;
        prefetch();
        await play(chunk, text);
        signal.throwIfAborted();
      }
      if (fetched.isDone) break;
      await fetched.changed.promise;
      signal.throwIfAborted();
    }
    if (fetched.error !== undefined) throw fetched.error as Error;
    open -= 1;
  }

  async function run(): Promise<void> {
    for (;;) {
      const text = next ? undefined : waiting.shift();
      const current = next ?? (text === undefined ? undefined : { text, fetched: fetchSound(speak, text) });
      next = undefined;
      if (current) await playAll(current);
      else if (isComplete) return;
      else await more.promise;
      signal.throwIfAborted();
    }
  }

  const running = run();
  running.catch(() => undefined); // told by `finish`

  function wake(): void {
    more.resolve();
    more = Promise.withResolvers<void>();
  }
  signal.addEventListener('abort', wake, { once: true });

  return {
    isBusy: () => open > 0,
    add(text) {
      open += 1;
      waiting.push(text);
      prefetch();
      wake();
    },
    finish() {
      isComplete = true;
      wake();
      return running;
    },
  };
}
