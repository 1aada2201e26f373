export type ServerSentEvent = { event: string; data: string };

/** Characters that may wait for the end of their event. */
const maxLength = 16 * 1024 * 1024;
const blankLine = /\r?\n\r?\n/;

/**
 * The events of a stream; comments are skipped.
 * @throws Error when nothing was received for `maxSilenceMs`, or an event is too long
 */
export async function* eventsIn(
  body: ReadableStream<Uint8Array>,
  maxSilenceMs: number,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let tail = '';
  try {
    for (;;) {
      const { done, value } = await readWithin(reader, maxSilenceMs);
      if (done) return;
      const received = decoder.decode(value, { stream: true });
      text += received;
      tail = (tail + received).slice(-received.length - 3);
      if (text.length > maxLength) throw new Error('An event is too long.');
      if (!blankLine.test(tail)) continue; // splitting everything for each piece of a long event would take seconds
      const blocks = text.split(blankLine);
      text = blocks.pop()!;
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

function readWithin(reader: Reader, ms: number): ReturnType<Reader['read']> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Nothing was received for ${ms / 1000} s.`)), ms);
    reader
      .read()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

function eventOf(block: string): ServerSentEvent | undefined {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ''] = /^(\w+):? ?(.*)$/.exec(line) ?? [];
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
  return data.length === 0 ? undefined : { event, data: data.join('\n') };
}
