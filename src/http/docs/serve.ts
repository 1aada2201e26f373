import type { Document } from './openapi-types.ts';
import { docsPage } from './page.ts';
import { stylesheet } from './stylesheet.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import type { Routing } from '../routing.ts';

/** Nothing but the stylesheet is loaded, and nothing runs. */
const policy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The interface for programs and for people: public, not enveloped (contract, sections 1 and 12). Both are made when somebody first
 * wants them.
 */
export function serveDocs(routing: Routing, describe: () => OpenApiDocument): void {
  const document = once(describe);
  const page = once(() => docsPage(document() as unknown as Document));
  const text = once(() => JSON.stringify(document()));
  routing.add('GET', '/openapi.json', (ctx) => {
    ctx.type = 'application/json';
    ctx.body = text();
  });
  const files = [
    { path: '/docs', type: 'text/html', content: page },
    { path: '/docs/docs.css', type: 'text/css', content: () => stylesheet },
  ];
  for (const { path, type, content } of files) {
    routing.add('GET', path, (ctx) => {
      ctx.set({
        'Content-Security-Policy': policy,
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
      });
      ctx.type = `${type}; charset=utf-8`;
      ctx.body = content();
    });
  }
}

function once<T extends object | string>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
