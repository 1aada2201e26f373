import { curlOf } from './curl.ts';
import type { Document, Media, Operation, Parameter, Response } from './openapi-types.ts';
import { resolve } from './openapi-types.ts';
import { fieldsTable, remarksOn, typeOf } from './fields.ts';
import { type Html, html, prose } from './html.ts';

export type Entry = { method: string; path: string; operation: Operation };

/** One operation: what it takes, what it answers, and a command that tries it. */
export function operationSection(document: Document, { method, path, operation }: Entry): Html {
  const { operationId: id, summary, description } = operation;
  const parameters = operation.parameters.map((one) => resolve<Parameter>(document, one));
  const isSent = method !== 'WEBHOOK';
  return html` <section class="operation" id="${id}" aria-labelledby="${id}-title">
    <h3 id="${id}-title">
      <span class="method ${method.toLowerCase()}">${method}</span> <code class="path">${path}</code>
      <a class="anchor" href="#${id}" aria-label="Link to ${id}">#</a>
    </h3>
    <p>${prose(summary)}.</p>
    <p class="facts">
      <code>${id}</code> · ${accessOf(operation)}${description === undefined ? '' : html` · ${prose(description)}`}
    </p>
    ${parametersTable(parameters)} ${bodyPart(document, operation)}
    ${
      isSent
        ? html`<h4>Try it</h4>
            <pre tabindex="0"><code>${curlOf(document, method, path, operation)}</code></pre>`
        : ''
    }
    ${answersPart(document, operation)}
  </section>`;
}

function accessOf({ security }: Operation): string {
  const schemes = security.flatMap((one) => Object.keys(one));
  if (schemes.length === 0) return 'public';
  if (schemes.includes('signature')) return 'signed (Standard Webhooks)';
  return schemes.includes('apiKey') ? 'API key or access token' : 'access token';
}

function parametersTable(parameters: readonly Parameter[]): Html {
  const own = parameters.filter(({ name }) => name !== 'X-Request-Id');
  if (own.length === 0) return html``;
  return html`<table>
    <caption>
      Parameters
    </caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">In</th>
        <th scope="col">Type</th>
        <th scope="col">What it is</th>
      </tr>
    </thead>
    <tbody>
      ${own.map(
        (one) =>
          html` <tr>
            <th scope="row"><code>${one.name}</code>${one.required ? html` <em>required</em>` : ''}</th>
            <td>${one.in}</td>
            <td>${typeOf(one.schema)}</td>
            <td>${remarksOn(one.schema, one.description)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function bodyPart(document: Document, { requestBody }: Operation): Html {
  if (!requestBody) return html``;
  const types = Object.keys(requestBody.content).map(
    (type, index) => html`${index > 0 ? ' or ' : ''}<code>${type}</code>`,
  );
  const [first] = Object.values(requestBody.content);
  return html`<h4>Body</h4>
    <p>
      ${types}${requestBody.required ? '' : ', may be left out'}${requestBody.description === undefined ? '' : html`. ${prose(requestBody.description)}`}
    </p>
    ${fieldsTable(document, first!.schema, 'Fields of the body')}
    <details>
      <summary>Example of a body</summary>
      ${exampleOf(requestBody.content)}
    </details>`;
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

function answersPart(document: Document, { responses }: Operation): Html {
  const all = Object.entries(responses).map(([status, one]) => ({ status, ...resolve<Response>(document, one) }));
  const good = all.filter(({ status }) => status.startsWith('2'));
  const others = all.filter(({ status }) => !status.startsWith('2'));
  return html`<h4>Answers</h4>
    ${good.map(
      ({ status, description, content }) =>
        html`<p><strong>${status}</strong> ${prose(description)}</p>
          ${
            content
              ? html`${answerFields(document, content)}
                  <details>
                    <summary>Example of an answer</summary>
                    ${exampleOf(content)}
                  </details>`
              : ''
          }`,
    )}
    <details>
      <summary>Refusals: ${others.map(({ status }) => status).join(', ')}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Code</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          ${others.map(
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

/** The envelope is the same everywhere: of it only `data` is shown. */
function answerFields(document: Document, content: Media): Html {
  const schema = content['application/json']?.schema;
  if (!schema) return html`<p>Type: <code>${Object.keys(content)[0]}</code></p>`;
  const data = schema.properties?.['data'];
  if (!data) return schema.properties?.['success'] ? html`` : fieldsTable(document, schema, 'Fields of the answer');
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
