import type { AuditEntry } from '../../client.ts';
import { audit } from '../../text/audit.ts';

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

/** Where things of a kind are shown. */
const pageOfKind: Readonly<Record<NonNullable<AuditEntry['target_kind']>, (id: string) => string>> = {
  agent: (id) => `/agents/${id}`,
  campaign: (id) => `/campaigns/${id}`,
  contact: (id) => `/contacts/${id}`,
  knowledge_base: (id) => `/knowledge/${id}`,
  number: () => '/numbers',
  user: () => '/people',
  api_key: () => '/people',
  organization: () => '/system',
  webhook_endpoint: () => '/deliveries',
};

/** The thing that an entry is about, by its name then; else all that its ids name. */
export function Targets({ entry }: { entry: AuditEntry }) {
  const { target, operation, target_kind: kind, target_id: id, target_name: called } = entry;
  const { count: times, ...things } = target;
  if (kind !== null && id !== null) {
    return (
      <>
        <a href={pageOfKind[kind](id)} title={id} dir="auto">
          {audit.targetOf(audit.targetKinds[kind], called ?? `…${id.slice(-6)}`)}
        </a>
        {times !== undefined && <div>{audit.times(Number(times))}</div>}
      </>
    );
  }
  return (
    <>
      {Object.entries(things).map(([name, value], index, all) =>
        // A call is named twice, by both names of its id.
        all.findIndex(([, other]) => other === value) < index ? null : (
          <div key={name}>
            <Target field={name} value={value} subject={subjectOf(name, operation)} />
          </div>
        ),
      )}
      {times !== undefined && <div>{audit.times(Number(times))}</div>}
    </>
  );
}

const isId = (value: string): boolean => /^[\da-f]{8}-[\da-f]{4}-/.test(value);

type TargetProps = { field: string; value: string; subject: string };

/** Links to a thing by the end of its id, with the whole id as tooltip. */
function Target({ field, value, subject }: TargetProps) {
  const found = pagesOf.find(({ word }) => word.test(subject));
  const name = isId(value) ? `…${value.slice(-6)}` : value;
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
