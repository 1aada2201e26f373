import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { Instant } from '../parts/time.tsx';
import { problemOf } from '../state/action.ts';
import { announce } from '../state/announce.ts';
import { useDebounced } from '../state/debounced.ts';
import { navigate } from '../state/location.ts';
import { shell } from '../text/en.ts';
import { ownDestinations } from './navigation.tsx';
import { callingChoice, type Choice, namesAction, searchCampaignActions, searchThings } from './search.ts';

const pageChoices = (): Choice[] =>
  ownDestinations().map(({ href, name, icon, key }) => ({
    id: href,
    title: name,
    icon,
    key,
    choose: () => navigate(href),
  }));

/** The server's results for a text (`wanted`), or why it could not search. */
type Found = { wanted: string; things: readonly Choice[]; actions: readonly Choice[]; problem?: string };

const nothing: Found = { wanted: '', things: [], actions: [] };

async function find(wanted: string, signal: AbortSignal): Promise<Found> {
  if (wanted === '') return nothing;
  try {
    const [things, actions] = await Promise.all([searchThings(wanted, signal), searchCampaignActions(wanted, signal)]);
    return { wanted, things, actions };
  } catch (error) {
    return { ...nothing, wanted, problem: problemOf(error) };
  }
}

/** Asks once the text rests; `wanted` of the answer says for which text it is. Until it comes, earlier results that contain the text stay. */
function useFound(wanted: string): Found {
  const found = useSignal(nothing);
  const sought = useDebounced(wanted);
  useEffect(() => {
    const controller = new AbortController();
    const ask = async (): Promise<void> => {
      const answer = await find(sought, controller.signal);
      if (!controller.signal.aborted) found.value = answer;
    };
    void ask();
    return () => controller.abort();
  }, [sought]);
  if (wanted === '') return nothing;
  if (found.value.wanted === wanted) return found.value;
  const has = ({ title, subtitle = '' }: Choice): boolean => `${title} ${subtitle}`.toLowerCase().includes(wanted);
  const { things, actions } = found.value;
  return { wanted: found.value.wanted, things: things.filter(has), actions: actions.filter(has) };
}

/** Goes to a page or a thing by a part of its name, or does something. */
export function Palette({ close, stop }: { close: () => void; stop: () => void }) {
  const id = useId();
  const text = useSignal('');
  const active = useSignal(0);
  const wanted = text.value.trim().toLowerCase();
  const { things, actions, problem, wanted: found } = useFound(wanted);
  const own = [...pageChoices(), ...callingChoice(stop)];
  const named = own.filter(({ title }) => title.toLowerCase().includes(wanted));
  // Things come before actions, so that Enter after a name opens it and pauses nothing.
  const choices = namesAction(wanted) ? [...named, ...actions, ...things] : [...named, ...things, ...actions];
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
    <Dialog title={shell.search} close={close} bare untitled>
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
      {choices.length === 0 && <p class="quiet">{found === wanted ? (problem ?? shell.noResults) : shell.loading}</p>}
    </Dialog>
  );
}

type OptionProps = { id: string; choice: Choice; isChosen: boolean; go(choice: Choice): Promise<void> };

function Option({ id, choice, isChosen, go }: OptionProps) {
  return (
    <li id={id} role="option" aria-selected={isChosen} dir="auto" onClick={() => void go(choice)}>
      <Icon name={choice.icon} />
      {choice.title}
      {choice.subtitle && (
        <span class="quiet">
          {choice.subtitle}
          {choice.at && (
            <>
              {' · '}
              <Instant at={choice.at} />
            </>
          )}
        </span>
      )}
      {choice.key && <kbd data-text={`g ${choice.key}`} />}
    </li>
  );
}
