import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { navigate } from '../state/location.ts';
import { shell } from '../text/en.ts';
import { ownDestinations } from './navigation.tsx';
import { type Choice, searchThings } from './search.ts';

/** Goes to a page or a thing by a part of its name. */
export function Palette({ close }: { close: () => void }) {
  const id = useId();
  const text = useSignal('');
  const active = useSignal(0);
  const things = useSignal<readonly Choice[]>([]);
  const wanted = text.value.trim().toLowerCase();
  useEffect(() => {
    const controller = new AbortController();
    if (wanted === '') things.value = [];
    else void searchThings(wanted, controller.signal).then((found) => void (things.value = found ?? things.value));
    return () => controller.abort();
  }, [wanted]);
  const pages = ownDestinations()
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .map(({ href, name, icon, key }): Choice => ({ href, title: name, icon, key }));
  const choices = [...pages, ...things.value];
  const chosen = Math.min(active.value, choices.length - 1);
  const go = (choice: Choice | undefined): void => {
    if (!choice) return;
    close();
    void navigate(choice.href);
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && choices.length > 0) active.value = (chosen + step + choices.length) % choices.length;
    else if (event.key === 'Enter') go(choices[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={shell.search} close={close} bare>
      <input
        role="combobox"
        aria-label={shell.search}
        aria-expanded={choices.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={choices.length > 0 ? `${id}-${chosen}` : undefined}
        placeholder={shell.searchHint}
        autocomplete="off"
        dir="auto"
        data-first-focus
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          active.value = 0;
        }}
        onKeyDown={onKey}
      />
      <ul role="listbox" id={`${id}-list`} aria-label={shell.search} class="choices">
        {choices.map((choice, index) => (
          <li
            key={choice.href}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            dir="auto"
            onClick={() => go(choice)}
          >
            <Icon name={choice.icon} />
            {choice.title}
            {choice.subtitle && <span class="quiet"> {choice.subtitle}</span>}
            {choice.key && <kbd data-text={`g ${choice.key}`} />}
          </li>
        ))}
      </ul>
      {choices.length === 0 && <p class="quiet">{shell.noResults}</p>}
    </Dialog>
  );
}
