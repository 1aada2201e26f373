import { type Html, html, prose } from '../html.ts';
import { slugOf } from '../slug.ts';
import type { UsedVocabulary } from './codes.ts';

/** Anchor of the section with all codes of a page. */
export const codesId = 'codes';
/** Anchor of the table of one vocabulary. */
export const vocabularyId = (name: string): string => `codes-${slugOf(name)}`;

/** A table for each vocabulary that the operations of a page use. */
export function codesSection(used: readonly UsedVocabulary[]): Html {
  if (used.length === 0) return html``;
  return html`<section aria-labelledby="${codesId}">
    <h2 id="${codesId}">What the codes mean</h2>
    ${used.map(
      ({ vocabulary: { name, meanings }, fields, values }) =>
        html` <table id="${vocabularyId(name)}">
          <caption>
            <strong>${name}</strong>
            in ${fields.map((field, at) => html`${at > 0 ? ', ' : ''}<code>${field}</code>`)}
          </caption>
          <thead>
            <tr>
              <th scope="col">Code</th>
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            ${values.map(
              (value) =>
                html`<tr>
                  <th scope="row"><code>${value}</code></th>
                  <td>${prose(meanings[value] ?? '')}</td>
                </tr>`,
            )}
          </tbody>
        </table>`,
    )}
  </section>`;
}
