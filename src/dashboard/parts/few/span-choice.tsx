import { setQuery } from '../../state/location.ts';
import { spans as texts } from '../../text/spans.ts';

type Props<S extends string> = { spans: readonly S[]; chosen: S; usual: S };

/** Chooses the days that a page is about, which are part of its address. */
export function SpanChoice<S extends string>({ spans, chosen, usual }: Props<S>) {
  return (
    <div class="segments" role="group" aria-label={texts.span}>
      {spans.map((span) => (
        <button
          key={span}
          type="button"
          aria-pressed={span === chosen}
          onClick={() => setQuery({ span: span === usual ? undefined : span }, { replace: false })}
        >
          {texts.days[span]}
        </button>
      ))}
    </div>
  );
}
