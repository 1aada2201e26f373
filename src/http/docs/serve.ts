import type { Context } from 'koa';
import type { Handler } from '../handler.ts';
import { markConstant } from '../output/etag-and-compression.ts';
import type { RateLimit } from '../rate-limit.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import type { Document } from './openapi-types.ts';
import { docsPage } from './page.ts';
import { stylesheet } from './stylesheet.ts';

/** Allows the page to load its stylesheet and nothing else, and to run no script. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves the OpenAPI document and the page made from it: public and without the envelope. Both are built on the first request. */
export function docsHandlers(
  describe: () => OpenApiDocument,
  limit: RateLimit,
): Record<'getOpenApiDocument' | 'getDocs' | 'getDocsStylesheet', Handler> {
  const document = lazy(describe);
  const page = lazy(() => docsPage(document() as unknown as Document));
  const json = lazy(() => JSON.stringify(document()));
  return {
    getOpenApiDocument(ctx) {
      const refusal = limit.ofAddress(ctx, 'document');
      if (refusal) throw refusal;
      ctx.type = 'application/json';
      ctx.body = json();
      markConstant(ctx, json());
    },
    getDocs: (ctx) => sendFile(ctx, 'text/html', page()),
    getDocsStylesheet: (ctx) => sendFile(ctx, 'text/css', stylesheet),
  };
}

function sendFile(ctx: Context, type: string, content: string): void {
  ctx.set({
    'Content-Security-Policy': contentSecurityPolicy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
  ctx.type = `${type}; charset=utf-8`;
  ctx.body = content;
  markConstant(ctx, content);
}

function lazy<T extends object | string>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}
