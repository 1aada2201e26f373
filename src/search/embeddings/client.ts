import { messageOf } from '../../base/errors.ts';
import { OutboundError, type OutboundResponse } from '../../base/outbound/client.ts';
import type { App } from '../../kernel/app.ts';
import { userAgent } from '../../kernel/user-agent.ts';
import type { EmbeddingsSettings } from './settings.ts';
import { type Unit, unitOf } from './vectors.ts';

/** The endpoint gave no vectors. The message names the reason for whoever runs parley. */
export class EmbeddingsFailure extends Error {
  /** It does not take these texts (too long, too many); others it may. */
  readonly refusesTexts: boolean;
  /** How long it wants to be left alone. */
  readonly retryAfterMs: number;

  constructor(message: string, options: { refusesTexts?: boolean; retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'EmbeddingsFailure';
    this.refusesTexts = options.refusesTexts ?? false;
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}

/** More than any batch of vectors in JSON. */
const maxResponseBytes = 64 * 1024 * 1024;

/**
 * Vectors of texts, in their order (https://platform.openai.com/docs/api-reference/embeddings/create, which others follow).
 * @throws EmbeddingsFailure
 */
export async function embed(
  app: App,
  { url, model, apiKey, dimensions }: EmbeddingsSettings,
  texts: readonly string[],
  limits: { timeoutMs: number },
): Promise<Unit[]> {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': userAgent(app),
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  const body = JSON.stringify({
    model,
    input: texts,
    encoding_format: 'float',
    ...(dimensions === null ? {} : { dimensions }),
  });
  const options = { headers, body, ...limits, maxResponseBytes, keepBytes: maxResponseBytes };
  const response = await app.upstream.post(url, options).catch((error: unknown) => {
    if (!(error instanceof OutboundError)) throw error;
    throw new EmbeddingsFailure(`The embeddings endpoint is out of reach. ${error.message}`, { cause: error });
  });
  if (response.statusCode !== 200) throw refusalOf(response);
  const vectors = vectorsOf(response.responseStart, texts.length);
  if (dimensions !== null && vectors.some((vector) => vector.length !== dimensions)) {
    throw new EmbeddingsFailure(
      `The embeddings endpoint was asked for ${dimensions} dimensions and gave ${vectors[0]!.length}; see embeddings.dimensions.`,
    );
  }
  return vectors;
}

function refusalOf({ statusCode, headers, responseStart }: OutboundResponse): EmbeddingsFailure {
  const seconds = Number(headers['retry-after'] ?? 0);
  return new EmbeddingsFailure(`The embeddings endpoint answered ${statusCode}: ${responseStart.slice(0, 300)}`, {
    refusesTexts: statusCode === 400 || statusCode === 413 || statusCode === 422,
    retryAfterMs: Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : 0,
  });
}

type Answer = { data: Array<{ index?: number; embedding: number[] }> };

function vectorsOf(body: string, count: number): Unit[] {
  let answer: Partial<Answer>;
  try {
    answer = JSON.parse(body) as Partial<Answer>;
  } catch (error) {
    throw new EmbeddingsFailure(`The embeddings endpoint's answer is not JSON: ${messageOf(error)}`, { cause: error });
  }
  const vectors: Unit[] = [];
  const entries = Array.isArray(answer?.data) ? answer.data : [];
  for (const [position, entry] of entries.entries()) {
    const { embedding, index = position } = entry ?? {};
    const vector = Array.isArray(embedding) ? unitOf(embedding) : undefined;
    if (vector) vectors[index] = vector;
  }
  const complete = vectors.length === count && Object.keys(vectors).length === count;
  if (!complete || vectors.some((vector) => vector.length !== vectors[0]!.length)) {
    throw new EmbeddingsFailure(`The embeddings endpoint did not answer with ${count} vectors of one length.`);
  }
  return vectors;
}
