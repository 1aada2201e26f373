import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import { OutboundError } from '../../../../base/outbound/client.ts';
import type { App } from '../../../../kernel/app.ts';
import { userAgent } from '../../../../kernel/user-agent.ts';

/**
 * A page could not be fetched. The message is shown to the source's owner. `temporary` if a later attempt may succeed.
 */
export class FetchError extends Error {
  readonly temporary: boolean;
  constructor(message: string, temporary: boolean, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FetchError';
    this.temporary = temporary;
  }
}

/** A response of any status, including redirects. `bytes` is the decompressed body. */
export type FetchedPage = { status: number; headers: IncomingHttpHeaders; bytes: Buffer };

export type FetchOptions = { maxBytes: number; headers?: Readonly<Record<string, string>>; signal: AbortSignal };

/**
 * Fetches a page. The outbound guard checks the URL and every address its host resolves to (docs/api/outbound.md).
 * @throws FetchError when the request fails, or the body is too large, broken or in an unsupported encoding
 * @throws the signal's reason instead when it is aborted by the time of the failure
 */
export async function fetchPage(app: App, url: string, options: FetchOptions): Promise<FetchedPage> {
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
    if (bytes.length > maxBytes) throw tooLarge(maxBytes);
    return { status: statusCode, headers, bytes: await decodeBody(bytes, headers['content-encoding'], maxBytes) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OutboundError) {
      throw new FetchError(error.message, error.reason !== 'refused_address', { cause: error });
    }
    throw error;
  }
}

const tooLarge = (maxBytes: number, cause?: unknown): FetchError =>
  new FetchError(`It is larger than the ${maxBytes} bytes allowed per page.`, false, { cause });

const maxEncodings = 2;

type Decoder = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;
const [unzip, unbrotli, inflated, inflatedRaw] = [gunzip, brotliDecompress, inflate, inflateRaw].map(
  (decoder) => promisify(decoder) as Decoder,
) as [Decoder, Decoder, Decoder, Decoder];

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: unzip,
  'x-gzip': unzip,
  br: unbrotli,
  // Some servers send deflate without the zlib wrapper (RFC 9110, 8.4.1.2).
  deflate: (bytes, options) => inflated(bytes, options).catch(() => inflatedRaw(bytes, options)),
};

/**
 * Decodes a body's content encodings, the last one first.
 * @throws FetchError when the body is broken or exceeds `maxBytes`, or has an unsupported encoding or more than two
 */
async function decodeBody(bytes: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  const names = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > maxEncodings) throw new FetchError('It uses too many content encodings.', false);
  let body = bytes;
  for (const name of names.toReversed()) {
    const decoder = decoders[name];
    if (!decoder) throw new FetchError(`Its content encoding ${name} is not supported.`, false);
    body = await decompress(decoder, body, maxBytes);
  }
  return body;
}

async function decompress(decoder: Decoder, bytes: Buffer, maxBytes: number): Promise<Buffer> {
  if (bytes.length === 0) return bytes;
  try {
    return await decoder(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes, error);
    throw new FetchError('Its compression is broken.', true, { cause: error });
  }
}

/** Decompresses a file that is itself gzipped, such as sitemap.xml.gz. @throws FetchError when it is broken or exceeds `maxBytes` */
export const gunzipIfNeeded = (bytes: Buffer, maxBytes: number): Promise<Buffer> =>
  bytes[0] === 0x1f && bytes[1] === 0x8b ? decompress(unzip, bytes, maxBytes) : Promise.resolve(bytes);
