import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Request = { model: string; input: string[]; dimensions?: number };
export type AskedForVectors = Request & { key: string | undefined };

/** Instead of vectors: exactly this answer, or none ever. */
export type EmbeddingsFault = { status: number; body?: string; headers?: Record<string, string> } | 'hang';

export type FakeEmbeddings = {
  url: string;
  /** Every request, in order. */
  asked: AskedForVectors[];
  /** What befalls a request instead of its answer; nothing by default. */
  fault: (request: AskedForVectors) => EmbeddingsFault | undefined;
  close(): Promise<void>;
};

export type Meaning = (text: string, model: string) => number[];

const usualDimensions = 256;

/** A direction for a text that looks like chance and is always the same. */
export function direction(text: string, dimensions = usualDimensions): number[] {
  let state = 2166136261;
  for (const unit of text) state = Math.imul(state ^ unit.codePointAt(0)!, 16777619);
  return Array.from({ length: dimensions }, () => {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 31 - 1;
  });
}

/** A model that knows words and which of them mean the same, in any language: the sum of its words' directions. */
export function wordwise(same: ReadonlyArray<readonly string[]> = []): Meaning {
  const first = new Map(same.flatMap((group) => group.map((word) => [word, group[0]!])));
  return (text, model) => {
    const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    const sum = Array.from({ length: usualDimensions }, () => 0);
    for (const word of new Set(words)) {
      for (const [index, value] of direction(`${model} ${first.get(word) ?? word}`).entries()) sum[index]! += value;
    }
    return sum;
  };
}

/** An OpenAI-compatible embeddings endpoint on 127.0.0.1; `meaning` is its model. */
export async function startFakeEmbeddings(meaning: Meaning = wordwise()): Promise<FakeEmbeddings> {
  const server = http.createServer((request, response) => void serve(request, response));
  const fake: FakeEmbeddings = {
    url: '',
    asked: [],
    fault: () => undefined,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Request;
    const asked = { ...body, key: /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] };
    fake.asked.push(asked);
    const fault = fake.fault(asked);
    if (fault === 'hang') return;
    if (fault)
      return void response.writeHead(fault.status, fault.headers).end(fault.body ?? '{"error":{"message":"no"}}');
    const data = body.input
      .map((text, index) => ({ object: 'embedding', index, embedding: meaning(text, body.model) }))
      .toReversed(); // the order is told by the index alone
    const usage = { prompt_tokens: 1, total_tokens: 1 };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ object: 'list', data, model: body.model, usage }));
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/embeddings`;
  return fake;
}
