import type { Change } from '../../client.ts';
import { audit } from '../../text/audit.ts';
import { common } from '../../text/en.ts';
import { fieldText } from '../../text/fields.ts';
import { duration, list } from '../../text/plural.ts';
import { valueText } from '../status.tsx';

const maxShownLength = 400;

/** A value in words; secrets and long values are told by what they are. */
function wordsOf(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return common.none;
  if (typeof value === 'boolean') return value ? common.yes : common.no;
  if (typeof value === 'number') return /Ms$|_ms$/.test(field) ? duration(value / 1000) : String(value);
  if (typeof value === 'string')
    return value.length > maxShownLength ? `${value.slice(0, maxShownLength)}…` : valueText(value);
  if (Array.isArray(value)) return value.length === 0 ? common.none : list(value.map((each) => wordsOf(field, each)));
  const { secret, length } = value as { secret?: boolean; length?: number };
  if (secret === true) return audit.secret;
  return typeof length === 'number' ? audit.longText(length) : JSON.stringify(value);
}

const dayNames = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((day) => common.dayNames[Number(day) - 1] ?? day) : value;

/** What was changed, each field as it was and as it became. */
function Changes({ changes }: { changes: readonly Change[] }) {
  return (
    <dl class="changes">
      {changes.map(({ field, before, after }) => {
        const shown = (value: unknown): string => wordsOf(field, field.endsWith('Days') ? dayNames(value) : value);
        return (
          <div key={field}>
            <dt>{fieldText(field)}</dt>
            <dd dir="auto">
              <del>{shown(before)}</del> <span aria-hidden="true">→</span> <ins>{shown(after)}</ins>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** One entry's changes, opened by whoever wants to see them. */
export function ChangesOf({ changes }: { changes: readonly Change[] | null }) {
  if (changes === null || changes.length === 0) return <>{common.none}</>;
  return (
    <details>
      <summary>{list(changes.map(({ field }) => fieldText(field)))}</summary>
      <Changes changes={changes} />
    </details>
  );
}
