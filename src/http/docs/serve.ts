import type { Context } from 'koa';
import { AppError } from '../../base/errors.ts';
import type { Handler } from '../handler.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import { markConstant } from '../output/etag-and-compression.ts';
import type { RateLimit } from '../rate-limit.ts';
import type { PlainOperation } from '../routes.ts';
import type { KeepSearchIndex } from './guides/search.ts';
import type { GuideTexts } from './guides/source.ts';
import type { Document } from './openapi-types.ts';
import { script } from './script.ts';
import { createDocsSite, type DocsSite } from './site.ts';
import { stylesheet } from './stylesheet.ts';

/** Allows the pages to load their stylesheet, script and pictures, to search, and nothing else. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** A picture opened by itself has its colours in a stylesheet of its own, and can do nothing else. */
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

type DocsOperation = Extract<PlainOperation, 'getOpenApiDocument' | `getDocs${string}`>;

/** Serves the OpenAPI document, its reference and the guides: public and without the envelope, made when they are first asked for. */
export function docsHandlers(
  describe: () => OpenApiDocument,
  guides: { texts: () => GuideTexts; keep: KeepSearchIndex } | undefined,
  limit: RateLimit,
): Record<DocsOperation, Handler> {
  const document = lazy(describe);
  const site = lazy(() => createDocsSite(document() as unknown as Document, guides?.texts() ?? {}, guides?.keep));
  const json = lazy(() => JSON.stringify(document()));
  const page =
    (make: (site: DocsSite, name: string) => string | undefined): Handler =>
    (ctx, params) => {
      const content = make(site(), params?.['page'] ?? '');
      if (content === undefined) throw new AppError('not_found', `There is nothing at ${ctx.path}.`);
      sendFile(ctx, 'text/html', content);
      markConstant(ctx, content);
    };
  return {
    getOpenApiDocument(ctx) {
      const refusal = limit.ofAddress(ctx, 'document');
      if (refusal) throw refusal;
      ctx.type = 'application/json';
      ctx.body = json();
      markConstant(ctx, json());
    },
    getDocs: page((one) => one.home()),
    getDocsReference: page((one, name) => one.reference(name)),
    getDocsGuide: page((one, name) => one.guide(name)),
    getDocsPicture(ctx, params) {
      const picture = site().picture((params?.['picture'] ?? '').replace(/\.svg$/, ''));
      if (picture === undefined) throw new AppError('not_found', `There is nothing at ${ctx.path}.`);
      sendFile(ctx, 'image/svg+xml', picture, picturePolicy);
      markConstant(ctx, picture);
    },
    async getDocsSearch(ctx) {
      const refusal = limit.ofAddress(ctx, 'document');
      if (refusal) throw refusal;
      sendFile(ctx, 'text/html', await site().search([ctx.query['q'] ?? ''].flat()[0]!));
    },
    getDocsStylesheet: constant('text/css', stylesheet),
    getDocsScript: constant('text/javascript', script),
  };
}

const constant =
  (type: string, content: string): Handler =>
  (ctx) => {
    sendFile(ctx, type, content);
    markConstant(ctx, content);
  };

function sendFile(ctx: Context, type: string, content: string, policy = contentSecurityPolicy): void {
  ctx.set({
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
  ctx.type = `${type}; charset=utf-8`;
  ctx.body = content;
}

function lazy<T extends object | string>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}
