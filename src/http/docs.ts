import type Router from '@koa/router';
import type { Document } from './docs/document.ts';
import { docsPage } from './docs/page.ts';
import { stylesheet } from './docs/stylesheet.ts';
import type { OpenApiDocument } from './openapi.ts';

/** Nothing but the stylesheet is loaded, and nothing runs. */
const policy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The interface for people, at /docs, made from the document: public, not enveloped (contract, section 12). */
export function serveDocs(router: Router, document: OpenApiDocument): void {
  let page: string | undefined; // made when somebody first wants it
  const files = [
    { path: '/docs', type: 'text/html', text: () => (page ??= docsPage(document as unknown as Document)) },
    { path: '/docs/docs.css', type: 'text/css', text: () => stylesheet },
  ];
  for (const { path, type, text } of files) {
    router.get(path, (ctx) => {
      ctx.set({
        'Content-Security-Policy': policy,
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
      });
      ctx.type = `${type}; charset=utf-8`;
      ctx.body = text();
    });
  }
}
