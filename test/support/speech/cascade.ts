/** Faithful fakes of the three services of a cascade, over HTTP. */
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { answerJson, type FakeService, type ServiceRequest, startService } from './service.ts';

type Hearing = { text: string } | { status: number } | 'hang';

/** The fields of a multipart form, and the samples of its file. */
export function formIn({ headers, body }: ServiceRequest): { fields: Record<string, string>; wav: Buffer } {
  const boundary = /boundary=(.+)$/.exec(headers['content-type'] ?? '')![1]!;
  const fields: Record<string, string> = {};
  let wav: Buffer = Buffer.alloc(0);
  let at = body.indexOf(`--${boundary}`);
  while (at !== -1) {
    const next = body.indexOf(`--${boundary}`, at + 1);
    if (next === -1) break;
    const part = body.subarray(at + boundary.length + 4, next - 2);
    const headEnd = part.indexOf('\r\n\r\n');
    const head = part.toString('latin1', 0, headEnd);
    const content = part.subarray(headEnd + 4);
    const name = /name="([^"]+)"/.exec(head)![1]!;
    if (head.includes('filename=')) wav = content;
    else fields[name] = content.toString();
    at = next;
  }
  return { fields, wav };
}

/** A transcription service; `hear` says what it hears in its nth request. */
export const startStt = (hear: (index: number, request: ServiceRequest) => Hearing): Promise<FakeService> =>
  startService('/v1/audio/transcriptions', (request, response, index) => {
    const heard = hear(index, request);
    if (heard === 'hang') return;
    if ('status' in heard) return answerJson(response, heard.status, { error: { message: 'out of order' } });
    answerJson(response, 200, { text: heard.text });
  });

export type Reply = {
  status?: number;
  /** Pieces of text, each an event of its own. */
  text?: readonly string[];
  calls?: ReadonlyArray<{ id: string; name: string; args: string }>;
  /** Between two pieces. */
  pauseMs?: number;
  /** The stream stops after the text and stays open. */
  stalls?: boolean;
};

export type LlmDialect = {
  /** Calls of tools come whole and without an index, as Ollama sends them. */
  wholeCalls?: boolean;
  /** `stream_options` is refused. */
  refusesOptions?: boolean;
  /** The answer is no stream. */
  isPlain?: boolean;
};

async function stream(response: ServerResponse, reply: Reply, { wholeCalls = false }: LlmDialect): Promise<void> {
  const send = (delta: object): void =>
    void response.write(
      `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta }] })}\n\n`,
    );
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send({ role: 'assistant', content: '' });
  for (const content of reply.text ?? []) {
    if (response.destroyed) return;
    send({ content });
    if (reply.pauseMs !== undefined) await wait(reply.pauseMs);
  }
  for (const [index, { id, name, args }] of (reply.calls ?? []).entries()) {
    if (wholeCalls) send({ tool_calls: [{ id, type: 'function', function: { name, arguments: args } }] });
    else {
      send({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
      for (const piece of args.match(/[\s\S]{1,3}/g) ?? [])
        send({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  if (reply.stalls === true) return;
  response.write(`data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 10 } })}\n\n`);
  response.end('data: [DONE]\n\n');
}

/** A service of chat completions, streamed; `answer` says what the model answers in its nth request. */
export const startLlm = (
  answer: (index: number, request: ServiceRequest) => Reply | 'hang',
  dialect: LlmDialect = {},
): Promise<FakeService> =>
  startService('/v1/chat/completions', async (request, response, index) => {
    if (dialect.refusesOptions === true && 'stream_options' in request.json)
      return answerJson(response, 400, { error: { message: 'stream_options: extra inputs are not permitted' } });
    const reply = answer(index, request);
    if (reply === 'hang') return;
    if (reply.status !== undefined) return answerJson(response, reply.status, { error: { message: 'no' } });
    if (dialect.isPlain === true || request.json['stream'] !== true) {
      const tools = (reply.calls ?? []).map(({ id, name, args }) => ({
        id,
        type: 'function',
        function: { name, arguments: args },
      }));
      const message = { role: 'assistant', content: (reply.text ?? []).join(''), tool_calls: tools };
      return answerJson(response, 200, {
        choices: [{ message }],
        usage: { prompt_tokens: 100, completion_tokens: 10 },
      });
    }
    await stream(response, reply, dialect);
  });

export type TtsDialect = {
  rate?: number;
  /** `pcm` is refused with this status; WAV is answered. */
  refusesPcm?: number;
  /** WAV is answered whatever is asked for. */
  isWav?: boolean;
  /** Bytes of each piece, and the wait after it. */
  pieceBytes?: number;
  pauseMs?: number;
  /** Fails with this status. */
  status?: (index: number) => number | undefined;
};

/** How long the fake voice speaks. */
export const spokenMs = (text: string): number => 100 + text.length * 40;

const voiceHz = 300;
/** A tone of the length of the text, at this rate. */
function voiced(text: string, rate: number): Buffer {
  const length = Math.round((spokenMs(text) * rate) / 1000);
  const sound = Buffer.alloc(length * 2);
  for (let at = 0; at < length; at += 1)
    sound.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * voiceHz * at) / rate)), at * 2);
  return sound;
}

function wavOf(sound: Buffer, rate: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF\xff\xff\xff\xffWAVEfmt ', 0, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data\xff\xff\xff\xff', 36, 'latin1'); // a service that streams does not know the length
  return Buffer.concat([head, sound]);
}

/** A service of /audio/speech that says every text as a tone of 300 Hz. */
export const startTts = (dialect: TtsDialect = {}): Promise<FakeService> =>
  startService('/v1/audio/speech', async ({ json }, response, index) => {
    const { rate = 24_000, refusesPcm, isWav = false, pieceBytes = 3001, pauseMs } = dialect;
    const status = dialect.status?.(index) ?? (json['response_format'] === 'pcm' ? refusesPcm : undefined);
    if (status !== undefined) return answerJson(response, status, { detail: 'no' });
    const sound = voiced(String(json['input']), rate);
    const answer = isWav || json['response_format'] === 'wav' ? wavOf(sound, rate) : sound;
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    for (let at = 0; at < answer.length && !response.destroyed; at += pieceBytes) {
      response.write(answer.subarray(at, at + pieceBytes));
      if (pauseMs !== undefined) await wait(pauseMs);
    }
    response.end();
  });
