import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type RequestBody = { model: string; input: string[]; dimensions?: number };
export type EmbeddingRequest = RequestBody & { key: string | undefined };

/** Answers a request with this response instead of vectors, or never. */
export type EmbeddingsFault = { status: number; body?: string; headers?: Record<string, string> } | 'hang';

export type FakeEmbeddings = {
  url: string;
  /** All requests so far, in order. */
  requests: EmbeddingRequest[];
  /** Decides which requests fail; none by default. */
  fault: (request: EmbeddingRequest) => EmbeddingsFault | undefined;
  close(): Promise<void>;
};

export type EmbeddingModel = (text: string, model: string) => number[];

const defaultDimensions = 256;

/** A pseudo-random vector, always the same for a text. */
export function hashVector(text: string, dimensions = defaultDimensions): number[] {
  let state = 2166136261;
  for (const unit of text) state = Math.imul(state ^ unit.codePointAt(0)!, 16777619);
  return Array.from({ length: dimensions }, () => {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 31 - 1;
  });
}

/** A model that embeds a text as the sum of its words' vectors; the words of a synonym group share one. */
export function bagOfWords(synonyms: ReadonlyArray<readonly string[]> = []): EmbeddingModel {
  const groupOf = new Map(synonyms.flatMap((group) => group.map((word) => [word, group[0]!])));
  return (text, model) => {
    const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    const sum = Array.from({ length: defaultDimensions }, () => 0);
    for (const word of new Set(words)) {
      for (const [index, value] of hashVector(`${model} ${groupOf.get(word) ?? word}`).entries()) sum[index]! += value;
    }
    return sum;
  };
}

/** Starts an OpenAI-compatible embeddings endpoint on 127.0.0.1. */
export async function startFakeEmbeddings(embed: EmbeddingModel = bagOfWords()): Promise<FakeEmbeddings> {
  const server = http.createServer((request, response) => void serve(request, response));
  const fake: FakeEmbeddings = {
    url: '',
    requests: [],
    fault: () => undefined,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as RequestBody;
    const request = { ...body, key: /^Bearer (.*)$/.exec(message.headers.authorization ?? '')?.[1] };
    fake.requests.push(request);
    const fault = fake.fault(request);
    if (fault === 'hang') return;
    if (fault)
      return void response.writeHead(fault.status, fault.headers).end(fault.body ?? '{"error":{"message":"no"}}');
    const data = body.input
      .map((text, index) => ({ object: 'embedding', index, embedding: embed(text, body.model) }))
      .toReversed(); // clients must sort by index
    const usage = { prompt_tokens: 1, total_tokens: 1 };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ object: 'list', data, model: body.model, usage }));
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/embeddings`;
  return fake;
}
