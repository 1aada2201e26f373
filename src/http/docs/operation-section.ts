import { clientExampleOf } from './client-example.ts';
import { curlOf } from './curl.ts';
import type { RecordedExample } from './examples/recorded.ts';
import type { Document, Media, Operation, Parameter, Response } from './openapi-types.ts';
import { resolve } from './openapi-types.ts';
import { descriptionOf, fieldsTable, typeOf } from './fields.ts';
import { type Html, html, prose } from './html.ts';

export type Entry = { method: string; path: string; operation: Operation };

/** The section of one operation: parameters, body, an example command with its recorded answer, and responses. */
export function operationSection(
  document: Document,
  { method, path, operation }: Entry,
  recorded: RecordedExample | undefined,
): Html {
  const { operationId: id, summary, description } = operation;
  const parameters = operation.parameters.map((parameter) => resolve<Parameter>(document, parameter));
  const isCallable = method !== 'WEBHOOK';
  return html` <section class="operation" id="${id}" aria-labelledby="${id}-title">
    <h3 id="${id}-title">
      <span class="method ${method.toLowerCase()}">${method}</span> <code class="path">${path}</code>
      <a class="anchor" href="#${id}" aria-label="Link to ${id}">#</a>
    </h3>
    <p>${prose(summary)}.</p>
    <p class="facts">
      <code>${id}</code> · ${accessOf(operation)}${description === undefined ? '' : html` · ${prose(description)}`}
    </p>
    ${parametersTable(parameters)} ${bodyPart(document, operation, recorded)}
    ${
      isCallable
        ? html`<h4>Try it</h4>
            <pre tabindex="0"><code>${curlOf(document, method, path, operation, recorded)}</code></pre>
            ${clientPart(clientExampleOf(document, method, operation, recorded))} ${recordedPart(recorded)}`
        : ''
    }
    ${responsesPart(document, operation, recorded)}
  </section>`;
}

const clientPart = (example: string | undefined): Html =>
  example === undefined
    ? html``
    : html`<details>
        <summary>With the typed client</summary>
        <pre tabindex="0" data-language="ts"><code>${example}</code></pre>
      </details>`;

const recordedPart = (recorded: RecordedExample | undefined): Html =>
  recorded === undefined
    ? html``
    : html`<details>
        <summary>Recorded answer</summary>
        <pre tabindex="0"><code>${textOf(recorded.answer)}</code></pre>
      </details>`;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

function accessOf({ security }: Operation): string {
  const schemes = security.flatMap((requirement) => Object.keys(requirement));
  if (schemes.length === 0) return 'public';
  if (schemes.includes('signature')) return 'signed (Standard Webhooks)';
  if (schemes.includes('apiKey')) return 'API key, access token or session';
  return schemes.includes('bearer') ? 'access token or session' : 'session';
}

function parametersTable(parameters: readonly Parameter[]): Html {
  const shown = parameters.filter(({ name }) => name !== 'X-Request-Id');
  if (shown.length === 0) return html``;
  return html`<table>
    <caption>
      Parameters
    </caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">In</th>
        <th scope="col">Type</th>
        <th scope="col">Description</th>
      </tr>
    </thead>
    <tbody>
      ${shown.map(
        (parameter) =>
          html` <tr>
            <th scope="row"><code>${parameter.name}</code>${parameter.required ? html` <em>required</em>` : ''}</th>
            <td>${parameter.in}</td>
            <td>${typeOf(parameter.schema)}</td>
            <td>${descriptionOf(parameter.schema, parameter.description)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function bodyPart(document: Document, { requestBody }: Operation, recorded: RecordedExample | undefined): Html {
  if (!requestBody) return html``;
  const types = Object.keys(requestBody.content).map(
    (type, index) => html`${index > 0 ? ' or ' : ''}<code>${type}</code>`,
  );
  const [first] = Object.values(requestBody.content);
  return html`<h4>Body</h4>
    <p>
      ${types}${requestBody.required ? '' : ', optional'}${requestBody.description === undefined ? '' : html`. ${prose(requestBody.description)}`}
    </p>
    ${fieldsTable(document, first!.schema, 'Body fields')}
    ${recorded?.body === undefined ? examplePart('Example body', requestBody.content) : ''}`;
}

function exampleOf(content: Media): Html {
  const [[type, { example, examples = {} }] = ['', {}] as const] = Object.entries(content);
  const shown = example === undefined ? Object.values(examples).map(({ value }) => value) : [example];
  return html`${shown.map(
    (value) =>
      html`<pre
        tabindex="0"
      ><code>${type === 'application/json' ? JSON.stringify(value, null, 2) : String(value)}</code></pre>`,
  )}`;
}

/** Made from the schema; where an example was recorded, that one stands in its place. */
const examplePart = (title: string, content: Media): Html =>
  html`<details>
    <summary>${title}</summary>
    ${exampleOf(content)}
  </details>`;

function responsesPart(document: Document, { responses }: Operation, recorded: RecordedExample | undefined): Html {
  const all = Object.entries(responses).map(([status, response]) => ({
    status,
    ...resolve<Response>(document, response),
  }));
  const successes = all.filter(({ status }) => status.startsWith('2'));
  const errors = all.filter(({ status }) => !status.startsWith('2'));
  return html`<h4>Responses</h4>
    ${successes.map(
      ({ status, description, content }) =>
        html`<p><strong>${status}</strong> ${prose(description)}</p>
          ${
            content
              ? html`${responseFields(document, content)} ${recorded ? '' : examplePart('Example response', content)}`
              : ''
          }`,
    )}
    <details>
      <summary>Errors: ${errors.map(({ status }) => status).join(', ')}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Code</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          ${errors.map(
            ({ status, description, content }) =>
              html` <tr>
                <th scope="row">${status}</th>
                <td>${codesOf(content)}</td>
                <td>${prose(description)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </details>`;
}

/** Shows only `data`, because the envelope is the same everywhere. */
function responseFields(document: Document, content: Media): Html {
  const schema = content['application/json']?.schema;
  if (!schema) return html`<p>Type: <code>${Object.keys(content)[0]}</code></p>`;
  const data = schema.properties?.['data'];
  if (!data) return schema.properties?.['success'] ? html`` : fieldsTable(document, schema, 'Response fields');
  return html`<p>
      <code>data</code>:
      ${typeOf(data)}${schema.properties?.['meta'] ? html`, with <code>meta</code>: ${typeOf(schema.properties['meta'])}` : ''}
    </p>
    ${data.$ref === undefined && data.items?.$ref === undefined ? fieldsTable(document, data, 'Fields of data') : ''}`;
}

function codesOf(content: Media | undefined): Html {
  const examples = Object.values(content?.['application/json']?.examples ?? {});
  return html`${examples.map(({ value }) => html`<code>${(value as { code?: string }).code ?? 'none'}</code> `)}`;
}
