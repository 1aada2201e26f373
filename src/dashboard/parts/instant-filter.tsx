import { useId } from 'preact/hooks';
import { query, setQuery } from '../state/location.ts';
import { zone } from '../state/preferences.ts';
import { common } from '../text/en.ts';
import { instantOf, wallClockOf } from './wall-clock.ts';

/** A filter by time, entered in the zone in which times are shown. The address has the instant. */
export function InstantFilter({ name, label }: { name: string; label: string }) {
  const id = useId();
  const given = query.value.get(name) ?? '';
  const change = (event: Event): void => {
    const { value } = event.currentTarget as HTMLInputElement;
    setQuery({ [name]: instantOf(value, zone.value), after: undefined, offset: undefined });
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="datetime-local"
        aria-describedby={`${id}-zone`}
        value={wallClockOf(given, zone.value)}
        onChange={change}
      />
      <p class="hint" id={`${id}-zone`}>
        {common.timesIn(zone.value)}
      </p>
    </div>
  );
}
