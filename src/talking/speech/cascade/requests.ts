import type { Dispatcher } from 'undici';

/** A service refused a request, or its answer cannot be used. */
export class ServiceError extends Error {
  readonly status: number | null;
  constructor(message: string, status: number | null = null) {
    super(message);
    this.status = status;
  }
}

export type ServiceAnswer = { contentType: string; body: Dispatcher.ResponseData['body'] };

type Sent = { apiKey: string | null; contentType: string; body: string | Buffer; signal: AbortSignal };

/** The whole exchange is bounded by whoever aborts it; these bound a service that has stopped in the middle of it. */
const stallMs = 30_000;
/** Of a refusal, in bytes. */
const maxReason = 300;

/**
 * Sends a request to a speech service, whose address is the operator's. The answer's body is still to be read.
 * @throws ServiceError for any status but 200
 */
export async function ask(url: string, { apiKey, contentType, body, signal }: Sent): Promise<ServiceAnswer> {
  const { request } = await import('undici'); // with the first call that speaks
  const answer = await request(url, {
    method: 'POST',
    headers: {
      'content-type': contentType,
      ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body,
    signal,
    headersTimeout: stallMs,
    bodyTimeout: stallMs,
  });
  if (answer.statusCode === 200)
    return { contentType: String(answer.headers['content-type'] ?? ''), body: answer.body };
  const reason = (await textOf(answer.body, 65_536)).slice(0, maxReason);
  throw new ServiceError(`${new URL(url).host} answered ${answer.statusCode}: ${reason}`, answer.statusCode);
}

/** @throws ServiceError when the body is longer */
export async function textOf(body: ServiceAnswer['body'], maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new ServiceError('the answer of the service is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** A null `model` is left out: some servers have but one. */
export const named = (model: string | null): { model?: string } => (model === null ? {} : { model });
