import { query, setQuery } from '../../state/location.ts';
import { number } from '../../text/plural.ts';
import { firstPage } from '../filters.tsx';

type Chip = { value: string; text: string; count?: number | undefined };
type Props = { name: string; label: string; chips: readonly Chip[] };

/** A filter of few values, all in sight, with how many rows each has where that is known. Pressing the chosen one takes it back. */
export function ChipFilter({ name, label, chips }: Props) {
  const chosen = query.value.get(name) ?? '';
  const choose = (value: string): void =>
    setQuery({ [name]: value === chosen ? undefined : value, ...firstPage }, { replace: false });
  return (
    <div class="chips" role="group" aria-label={label}>
      {chips.map(({ value, text, count }) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => choose(value)}>
          {text}
          <b>{count !== undefined && number(count)}</b>
        </button>
      ))}
    </div>
  );
}
