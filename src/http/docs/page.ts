import { codesId, codesSection } from './codes/section.ts';
import { usedVocabularies } from './codes/codes.ts';
import type { RecordedExamples } from './examples/recorded.ts';
import { fieldsTable } from './fields.ts';
import { type Html, html, prose } from './html.ts';
import type { Document } from './openapi-types.ts';
import { type Entry, operationSection } from './operation-section.ts';
import { slugOf } from './slug.ts';

export const groupHref = (tag: string): string => `/docs/reference/${slugOf(tag)}`;

/** A group of operations of the reference. */
export type ReferenceGroup = { name: string; slug: string; description: string; entries: Entry[] };

export const referenceGroups = (document: Document): ReferenceGroup[] =>
  document.tags.map(({ name, description }) => ({
    name,
    slug: slugOf(name),
    description,
    entries: entriesOf(document, name),
  }));

/** One group of the reference: each operation with parameters, body, command and responses, then what its codes mean. */
export function groupPage(
  document: Document,
  { name, description, entries }: ReferenceGroup,
  recorded: RecordedExamples,
): Html {
  const codes = usedVocabularies(
    document,
    entries.map(({ operation }) => operation),
  );
  return html`<h1>${name}</h1>
    <p>${prose(description)}</p>
    ${variables}
    <ul class="operations">
      ${entries.map(
        ({ operation: { operationId, summary } }) => html`<li><a href="#${operationId}">${summary}</a></li>`,
      )}
      ${codes.length > 0 ? html`<li><a href="#${codesId}">What the codes mean</a></li>` : ''}
    </ul>
    ${entries.map((entry) => operationSection(document, entry, recorded[entry.operation.operationId]))}
    ${codesSection(codes)}`;
}

const variables = html`<details>
  <summary>Variables of the commands</summary>
  <pre tabindex="0"><code>export PARLEY_URL=http://127.0.0.1:8080
export PARLEY_API_KEY=pk_…
export PARLEY_TOKEN=…   # data.access_token of POST /api/v1/auth/token</code></pre>
  <p>
    The recorded answers are those of a server with the data of <code>parley demo</code>, under a test clock and
    <code>--seed 1</code>. Lists are cut after two entries, files after four lines.
  </p>
</details>`;

/** Every named schema. Other pages link to it. */
export const schemasPage = (document: Document): Html =>
  html`<h1>Schemas</h1>
    ${Object.entries(document.components.schemas).map(
      ([name, schema]) =>
        html` <section class="schema" id="schema-${name}" aria-labelledby="schema-${name}-title">
          <h2 id="schema-${name}-title">${name}</h2>
          ${fieldsTable(document, schema, `Fields of ${name}`)}
        </section>`,
    )}`;

/** The first page: introduction and a list of all operations. */
export const homePage = ({ info }: Document, groups: readonly ReferenceGroup[], start: string | undefined): Html =>
  html`<h1>${info.title} <small>${info['x-parley-version']}, API ${info.version}</small></h1>
    <p>${info.summary}. <a href="/openapi.json">OpenAPI document</a></p>
    ${start === undefined ? '' : { markup: start }}
    ${info.description.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`)}
    <h2 id="operations">All operations</h2>
    ${groups.map(
      ({ name, entries }) =>
        html`<h3><a href="${groupHref(name)}">${name}</a></h3>
          <ul class="operations">
            ${entries.map(
              ({ method, path, operation: { operationId, summary } }) =>
                html`<li>
                  <a href="${groupHref(name)}#${operationId}">${summary}</a>
                  <code>${method} ${path}</code>
                </li>`,
            )}
          </ul>`,
    )}`;

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
