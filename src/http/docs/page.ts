import type { Document } from './openapi-types.ts';
import { fieldsTable } from './fields.ts';
import { type Html, html, prose } from './html.ts';
import { type Entry, operationSection } from './operation-section.ts';

/** The prefix keeps the ids of groups apart from those of operations. */
const groupId = (name: string): string => `group-${name.toLowerCase().replaceAll(' ', '-')}`;

/** Renders the API documentation as one HTML page, without scripts. Its only other file is the stylesheet. */
export function docsPage(document: Document): string {
  const { info, tags, components } = document;
  const groups = tags.map((tag) => ({ ...tag, entries: entriesOf(document, tag.name) }));
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${info.title} ${info['x-parley-version']}: API documentation</title>
        <link rel="stylesheet" href="/docs/docs.css" />
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <h1>${info.title} <small>${info['x-parley-version']}, API ${info.version}</small></h1>
          <p>${info.summary}. <a href="/openapi.json">OpenAPI document</a></p>
        </header>
        <div class="columns">
          <nav aria-label="Operations">
            ${groups.map((group) => navigation(group.name, group.entries))}
            <h2><a href="#schemas">Schemas</a></h2>
          </nav>
          <main id="main">
            ${introduction(info.description)}
            ${groups.map(
              ({ name, description, entries }) =>
                html` <section id="${groupId(name)}" aria-labelledby="${groupId(name)}-title">
                  <h2 id="${groupId(name)}-title">${name}</h2>
                  <p>${prose(description)}</p>
                  ${entries.map((entry) => operationSection(document, entry))}
                </section>`,
            )}
            <section id="schemas" aria-labelledby="schemas-title">
              <h2 id="schemas-title">Schemas</h2>
              ${Object.entries(components.schemas).map(
                ([name, schema]) =>
                  html` <section class="schema" id="schema-${name}" aria-labelledby="schema-${name}-title">
                    <h3 id="schema-${name}-title">${name}</h3>
                    ${fieldsTable(document, schema, `Fields of ${name}`)}
                  </section>`,
              )}
            </section>
          </main>
        </div>
      </body>
    </html> `;
  return page.markup;
}

function introduction(description: string): Html {
  return html`<section id="introduction" aria-label="Introduction">
    ${description.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`)}
    <p>The commands on this page read the server's URL and your credentials from these variables:</p>
    <pre tabindex="0"><code>export PARLEY_URL=http://127.0.0.1:8080
export PARLEY_API_KEY=pk_…
export PARLEY_TOKEN=…   # data.access_token of POST /api/v1/auth/token</code></pre>
  </section>`;
}

function entriesOf(document: Document, tag: string): Entry[] {
  const entriesIn = (items: Document['paths'], isWebhook: boolean): Entry[] =>
    Object.entries(items).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        method: isWebhook ? 'WEBHOOK' : method.toUpperCase(),
        path,
        operation,
      })),
    );
  return [...entriesIn(document.paths, false), ...entriesIn(document.webhooks, true)].filter(({ operation }) =>
    operation.tags.includes(tag),
  );
}

const navigation = (name: string, entries: readonly Entry[]): Html =>
  html` <h2><a href="#${groupId(name)}">${name}</a></h2>
    <ul>
      ${entries.map(
        ({ operation: { operationId, summary } }) => html` <li><a href="#${operationId}">${summary}</a></li>`,
      )}
    </ul>`;
