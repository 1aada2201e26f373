import type { AuditEntry } from '../../client.ts';
import { audit } from '../../text/audit.ts';
import type { Names } from './names.ts';

/** Pages of things, by the words that name them in operations and ids. Without `own`, the list of such things is all there is. */
const pagesOf: ReadonlyArray<{ word: RegExp; kind: string; page?: string; own: boolean }> = [
  { word: /note/i, kind: audit.things.note, own: false },
  { word: /campaign/i, kind: audit.things.campaign, page: '/campaigns', own: true },
  { word: /contact/i, kind: audit.things.contact, page: '/contacts', own: true },
  { word: /agent|webhooksecret/i, kind: audit.things.agent, page: '/agents', own: true },
  { word: /knowledge|^kb/i, kind: audit.things.base, page: '/knowledge', own: true },
  { word: /deliver/i, kind: audit.things.delivery, page: '/deliveries', own: true },
  { word: /endpoint/i, kind: audit.things.endpoint, page: '/deliveries', own: false },
  { word: /key/i, kind: audit.things.key, page: '/people', own: false },
  { word: /user|person|people/i, kind: audit.things.person, page: '/people', own: false },
  { word: /number/i, kind: audit.things.number, page: '/numbers', own: false },
  { word: /call/i, kind: audit.things.call, page: '/calls', own: true },
];

/** The kind of thing that an id belongs to: the id's name, or for `id` the operation. Notes are shown on their contact's page. */
function subjectOf(name: string, operation: string): string {
  if (name === 'new_id') return operation;
  return name === 'id' ? operation.replace(/Note$/, '') : name;
}

type Props = { entry: AuditEntry; names: Names };

export function Targets({ entry: { target, operation }, names }: Props) {
  const { count: times, ...things } = target;
  return (
    <>
      {Object.entries(things).map(([name, value], index, all) =>
        // A call is named twice, by both names of its id.
        all.findIndex(([, other]) => other === value) < index ? null : (
          <div key={name}>
            <Target field={name} value={value} subject={subjectOf(name, operation)} names={names} />
          </div>
        ),
      )}
      {times !== undefined && <div>{audit.times(Number(times))}</div>}
    </>
  );
}

const isId = (value: string): boolean => /^[\da-f]{8}-[\da-f]{4}-/.test(value);

type TargetProps = { field: string; value: string; subject: string; names: Names };

/** Links to a thing by its name, with its id as tooltip. A thing without a known name is shown by the end of its id. */
function Target({ field, value, subject, names }: TargetProps) {
  const found = pagesOf.find(({ word }) => word.test(subject));
  const name = names.things.get(value) ?? (isId(value) ? `…${value.slice(-6)}` : value);
  const kind = found?.kind ?? field.replace(/_?id$/i, '').replaceAll('_', ' ');
  const text = audit.targetOf(kind, name);
  if (!found?.page || !isId(value)) return <span dir="auto">{text}</span>;
  const href = found.own ? `${found.page}/${encodeURIComponent(value)}` : found.page;
  return (
    <a href={href} title={value} dir="auto">
      {text}
    </a>
  );
}
