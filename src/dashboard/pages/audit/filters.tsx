import { useId } from 'preact/hooks';
import { listApiKeys, api, listUsers } from '../../client.ts';
import { SelectFilter } from '../../parts/filters.tsx';
import { FiltersWithViews } from '../../parts/views.tsx';
import type { Option } from '../../parts/form.tsx';
import { InstantFilter } from '../../parts/instant-filter.tsx';
import { query, setQuery } from '../../state/location.ts';
import { useResource } from '../../state/resource.ts';
import { audit } from '../../text/audit.ts';
import { common } from '../../text/en.ts';
import { isNamedKind, loadThings } from './things.ts';

async function loadActors(signal: AbortSignal): Promise<Option[]> {
  const [users, keys] = await Promise.all([listUsers(api, { signal }), listApiKeys(api, { signal })]);
  return [
    ...users.data.map(({ id, email }) => ({ value: id, text: email })),
    ...keys.data.map(({ id, name }) => ({ value: id, text: audit.key(name) })),
  ];
}

/** `titles`: of all operations that the log knows, by operation. */
export function AuditFilters({ titles }: { titles: ReadonlyMap<string, string> | undefined }) {
  const actors = useResource('actors', loadActors);
  const operations = [...(titles ?? [])].map(([value, text]) => ({ value, text }));
  return (
    <FiltersWithViews page="audit">
      <ThingFilter />
      <SelectFilter name="actor_id" label={audit.actor} options={actors.data ?? []} />
      <SelectFilter
        name="operation"
        label={audit.what}
        options={operations.toSorted((a, b) => a.text.localeCompare(b.text))}
      />
      <InstantFilter name="since" label={audit.from} />
      <InstantFilter name="until" label={audit.until} />
    </FiltersWithViews>
  );
}

/** The kind of thing, and then which one; another kind has other things. */
function ThingFilter() {
  const id = useId();
  const kind = query.value.get('target_kind') ?? '';
  const change = (event: Event): void =>
    setQuery(
      {
        target_kind: (event.currentTarget as HTMLSelectElement).value,
        target_id: undefined,
        after: undefined,
      },
      { replace: false },
    );
  return (
    <>
      <div class="field">
        <label for={id}>{audit.thing}</label>
        <select id={id} value={kind} onChange={change}>
          <option value="">{common.any}</option>
          {Object.entries(audit.targetKinds).map(([value, text]) => (
            <option key={value} value={value} selected={value === kind}>
              {text}
            </option>
          ))}
        </select>
      </div>
      {kind !== '' && <WhichFilter key={kind} kind={kind} />}
    </>
  );
}

function WhichFilter({ kind }: { kind: string }) {
  const chosen = query.value.get('target_id');
  const things = useResource(`things ${kind}`, (signal) => loadThings(kind, signal));
  const options = things.data ?? [];
  // Of contacts there are too many to list; one is chosen on its own page.
  if (!isNamedKind(kind) && chosen === null) return null;
  const other = chosen !== null && !options.some(({ value }) => value === chosen);
  return (
    <SelectFilter
      name="target_id"
      label={audit.which}
      options={other ? [...options, { value: chosen, text: audit.thisOne }] : options}
    />
  );
}
