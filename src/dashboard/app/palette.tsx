import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { problemOf } from '../state/action.ts';
import { announce } from '../state/announce.ts';
import { navigate } from '../state/location.ts';
import { shell } from '../text/en.ts';
import { ownDestinations } from './navigation.tsx';
import { callingChoice, type Choice, searchCampaignActions, searchThings } from './search.ts';

const pageChoices = (): Choice[] =>
  ownDestinations().map(({ href, name, icon, key }) => ({
    id: href,
    title: name,
    icon,
    key,
    choose: () => navigate(href),
  }));

/** Goes to a page or a thing by a part of its name, or does something. */
export function Palette({ close, stop }: { close: () => void; stop: () => void }) {
  const id = useId();
  const text = useSignal('');
  const active = useSignal(0);
  const things = useSignal<readonly Choice[]>([]);
  const campaigns = useSignal<readonly Choice[]>([]);
  const wanted = text.value.trim().toLowerCase();
  useEffect(() => {
    const controller = new AbortController();
    // Actions on campaigns only once somebody looks for them: pages are what most come for.
    for (const [shown, search] of [[things, searchThings] as const, [campaigns, searchCampaignActions] as const]) {
      if (wanted === '') shown.value = [];
      else void search(wanted, controller.signal).then((found) => void (shown.value = found ?? shown.value));
    }
    return () => controller.abort();
  }, [wanted]);
  const own = [...pageChoices(), ...callingChoice(stop)];
  const named = own.filter(({ title }) => title.toLowerCase().includes(wanted));
  const choices = [...named, ...campaigns.value, ...things.value];
  const chosen = Math.min(active.value, choices.length - 1);
  const go = async (choice: Choice | undefined): Promise<void> => {
    if (!choice) return;
    close();
    try {
      await choice.choose();
    } catch (error) {
      announce(problemOf(error));
    }
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && choices.length > 0) active.value = (chosen + step + choices.length) % choices.length;
    else if (event.key === 'Enter') void go(choices[chosen]);
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
          <Option key={choice.id} id={`${id}-${index}`} choice={choice} isChosen={index === chosen} go={go} />
        ))}
      </ul>
      {choices.length === 0 && <p class="quiet">{shell.noResults}</p>}
    </Dialog>
  );
}

type OptionProps = { id: string; choice: Choice; isChosen: boolean; go(choice: Choice): Promise<void> };

function Option({ id, choice, isChosen, go }: OptionProps) {
  return (
    <li id={id} role="option" aria-selected={isChosen} dir="auto" onClick={() => void go(choice)}>
      <Icon name={choice.icon} />
      {choice.title}
      {choice.subtitle && <span class="quiet"> {choice.subtitle}</span>}
      {choice.key && <kbd data-text={`g ${choice.key}`} />}
    </li>
  );
}
