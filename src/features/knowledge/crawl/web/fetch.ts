import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import { OutboundError } from '../../../../base/outbound/client.ts';
import type { App } from '../../../../kernel/app.ts';
import { userAgent } from '../../../../kernel/user-agent.ts';

/** A page could not be had; the message is a sentence for a person. `passing`: it may be otherwise another time. */
export class FetchError extends Error {
  readonly passing: boolean;
  constructor(message: string, passing: boolean, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FetchError';
    this.passing = passing;
  }
}

/** Any answer, redirects too; `bytes` are those of the body as it was before compression. */
export type Fetched = { status: number; headers: IncomingHttpHeaders; bytes: Buffer };

export type FetchOptions = { maxBytes: number; headers?: Readonly<Record<string, string>>; signal: AbortSignal };

/**
 * Asks for a page. The guard judges the URL and every address that it leads to (contract, section 10).
 * @throws FetchError, and the signal's reason once it is aborted
 */
export async function fetchPage(app: App, url: string, options: FetchOptions): Promise<Fetched> {
  const { maxBytes, signal } = options;
  try {
    const { statusCode, headers, bytes } = await app.web.request(url, {
      method: 'GET',
      headers: {
        'user-agent': userAgent(app),
        accept: 'text/html, application/xhtml+xml, text/plain, application/pdf;q=0.9, */*;q=0.5',
        'accept-encoding': 'gzip, br',
        ...options.headers,
      },
      timeoutMs: app.config.knowledge.crawl.timeout_ms,
      maxResponseBytes: maxBytes + 1,
      keepBytes: maxBytes + 1,
    });
    if (bytes.length > maxBytes) throw tooLong(maxBytes);
    return { status: statusCode, headers, bytes: await decoded(bytes, headers['content-encoding'], maxBytes) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OutboundError) {
      throw new FetchError(error.message, error.reason !== 'refused_address', { cause: error });
    }
    throw error;
  }
}

const tooLong = (maxBytes: number, cause?: unknown): FetchError =>
  new FetchError(`It is larger than the ${maxBytes} bytes that are read of a page.`, false, { cause });

const maxEncodings = 2;

type Decoder = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;
const [unzip, unbrotli, inflated, inflatedRaw] = [gunzip, brotliDecompress, inflate, inflateRaw].map(
  (decoder) => promisify(decoder) as Decoder,
) as [Decoder, Decoder, Decoder, Decoder];

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: unzip,
  'x-gzip': unzip,
  br: unbrotli,
  // RFC 9110, 8.4.1.2: some send it without the zlib wrapper.
  deflate: (bytes, options) => inflated(bytes, options).catch(() => inflatedRaw(bytes, options)),
};

/** Undoes the encodings of a body, the last one first, into no more than so many bytes. */
async function decoded(bytes: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  const names = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > maxEncodings) throw new FetchError('It is compressed more often than makes sense.', false);
  let plain = bytes;
  for (const name of names.toReversed()) {
    const decoder = decoders[name];
    if (!decoder) throw new FetchError(`It is sent with the encoding ${name}, which is not known here.`, false);
    plain = await undone(decoder, plain, maxBytes);
  }
  return plain;
}

async function undone(decoder: Decoder, bytes: Buffer, maxBytes: number): Promise<Buffer> {
  if (bytes.length === 0) return bytes;
  try {
    return await decoder(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLong(maxBytes, error);
    throw new FetchError('Its compression is broken.', true, { cause: error });
  }
}

/** A file that is compressed itself, such as sitemap.xml.gz. @throws FetchError */
export const gunzipped = (bytes: Buffer, maxBytes: number): Promise<Buffer> =>
  bytes[0] === 0x1f && bytes[1] === 0x8b ? undone(unzip, bytes, maxBytes) : Promise.resolve(bytes);
