import { OutboundError, type OutboundResponse } from '../../base/outbound/client.ts';
import { redact } from '../../base/redact.ts';
import type { App } from '../../kernel/app.ts';
import { userAgent } from '../../kernel/user-agent.ts';
import type { EmbeddingsSettings } from './settings.ts';
import { normalize, type UnitVector } from './vectors.ts';

/** The endpoint returned no vectors. The message tells the operator of parley why. */
export class EmbeddingsFailure extends Error {
  /** The endpoint refuses these texts (too long, too many), but may accept others. */
  readonly refusesTexts: boolean;
  /** How long the endpoint asks to wait before the next request. */
  readonly retryAfterMs: number;

  constructor(message: string, options: { refusesTexts?: boolean; retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'EmbeddingsFailure';
    this.refusesTexts = options.refusesTexts ?? false;
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}

/** More than any batch of vectors in JSON takes. */
const maxResponseBytes = 64 * 1024 * 1024;

/**
 * Requests the vectors of texts, in the order of the texts. The API is OpenAI's, which others follow
 * (https://platform.openai.com/docs/api-reference/embeddings/create).
 * @throws EmbeddingsFailure when the request fails, or the answer does not have one valid vector for each text
 */
export async function embed(
  app: App,
  { url, model, apiKey, dimensions }: EmbeddingsSettings,
  texts: readonly string[],
  limits: { timeoutMs: number },
): Promise<UnitVector[]> {
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
    throw new EmbeddingsFailure(`The embeddings endpoint cannot be reached. ${error.message}`, { cause: error });
  });
  if (response.statusCode !== 200) throw failureOf(response, apiKey);
  const vectors = parseVectors(response.responseStart, texts.length);
  if (dimensions !== null && vectors.some((vector) => vector.length !== dimensions)) {
    throw new EmbeddingsFailure(
      `The embeddings endpoint returned ${vectors[0]!.length} dimensions instead of ${dimensions}; check embeddings.dimensions.`,
    );
  }
  return vectors;
}

/** Longer waits are cut: an endpoint that works again should not stay unused for days. */
const maxRetryAfterMs = 3_600_000;

function failureOf({ statusCode, headers, responseStart }: OutboundResponse, apiKey: string | null): EmbeddingsFailure {
  const retryAfter = headers['retry-after']?.trim() ?? '';
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : 0;
  const answer = redact(responseStart, [apiKey]).slice(0, 300);
  return new EmbeddingsFailure(`The embeddings endpoint answered ${statusCode}: ${answer}`, {
    refusesTexts: statusCode === 400 || statusCode === 413 || statusCode === 422,
    retryAfterMs: Math.min(seconds * 1000, maxRetryAfterMs),
  });
}

type EmbeddingResponse = { data: Array<{ index?: unknown; embedding: unknown }> };

function parseVectors(body: string, count: number): UnitVector[] {
  let response: Partial<EmbeddingResponse>;
  try {
    response = JSON.parse(body) as Partial<EmbeddingResponse>;
  } catch {
    // Leaves out the parser's message, because it quotes the answer.
    throw new EmbeddingsFailure("The embeddings endpoint's answer is not JSON; check embeddings.url.");
  }
  const entries = Array.isArray(response?.data) ? response.data : [];
  const byIndex = new Map<unknown, UnitVector>();
  for (const [position, entry] of entries.entries()) {
    const { embedding, index = position } = entry ?? {};
    const vector = vectorOf(embedding);
    if (vector) byIndex.set(index, vector);
  }
  const vectors = Array.from({ length: count }, (_, index) => byIndex.get(index));
  const isComplete = entries.length === count && vectors.every((vector) => vector?.length === vectors[0]?.length);
  if (!isComplete || !vectors[0]) {
    throw new EmbeddingsFailure(`The embeddings endpoint did not return ${count} vectors of one length.`);
  }
  return vectors as UnitVector[];
}

/** More than any model has. The first vector fixes the length for the whole model, so nonsense must not. */
const maxDimensions = 65_536;

const vectorOf = (values: unknown): UnitVector | undefined =>
  Array.isArray(values) && values.length <= maxDimensions && values.every((value) => typeof value === 'number')
    ? normalize(values)
    : undefined;
