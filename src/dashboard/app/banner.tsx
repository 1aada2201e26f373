import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { Status } from '../parts/status.tsx';
import { Instant } from '../parts/time.tsx';
import { notLiveSince } from '../state/live.ts';
import { navigate } from '../state/location.ts';
import { shortcuts, summaries } from '../state/preferences.ts';
import { hasKeyboard, isNarrow } from '../state/screen.ts';
import { system } from '../state/session.ts';
import { shell, shortcutTexts } from '../text/en.ts';
import { Brand } from './brand.tsx';
import { CallingControl, StopDialog } from './calling.tsx';
import { listenForKeys } from './keys.ts';
import { ownDestinations } from './navigation.tsx';
import { Palette } from './palette.tsx';
import { UserMenu } from './user-menu.tsx';
import { ZoneChoice } from './zone-choice.tsx';

export function Banner({ user }: { user: { email: string } }) {
  const open = useSignal<'search' | 'shortcuts' | 'stop' | undefined>(undefined);
  const close = (): void => void (open.value = undefined);
  const stop = (): void => void (open.value = 'stop');
  useEffect(
    () =>
      listenForKeys({
        search: () => void (open.value = 'search'),
        shortcuts: () => void (open.value = 'shortcuts'),
        go(key) {
          const found = ownDestinations().find((each) => each.key === key);
          if (found) void navigate(found.href);
        },
      }),
    [],
  );
  const since = notLiveSince.value;
  return (
    <header class="banner">
      <a class="brand" href="/">
        <Brand />
      </a>
      <button
        type="button"
        class="find"
        {...(hasKeyboard ? { 'aria-keyshortcuts': 'Control+K Meta+K' } : {})}
        onClick={() => void (open.value = 'search')}
      >
        <Icon name="search" />
        <span>{shell.search}</span>
        <kbd data-text={shell.searchKeys} />
      </button>
      <span class="space" />
      {system.value?.carrier.simulated && <Simulated />}
      {since !== undefined && (
        <Status value="stopped" pill>
          {shell.notLiveSince} <Instant at={since} />
        </Status>
      )}
      <CallingControl ask={stop} />
      {!isNarrow.value && <ZoneChoice />}
      <button
        type="button"
        class="bare keyboard-only"
        aria-label={shell.shortcuts}
        aria-keyshortcuts="?"
        onClick={() => void (open.value = 'shortcuts')}
      >
        ?
      </button>
      <UserMenu email={user.email} />
      {open.value === 'search' && <Palette close={close} stop={stop} />}
      {open.value === 'stop' && <StopDialog close={close} />}
      {open.value === 'shortcuts' && <Shortcuts close={close} />}
    </header>
  );
}

/** A phone has room for its first word; the rest is there for a screen reader. */
function Simulated() {
  const [first, rest] = shell.simulated;
  return (
    <Status value="warn" pill>
      <span title={first + rest}>
        {first}
        <span class={isNarrow.value ? 'visually-hidden' : undefined}>{rest}</span>
      </span>
    </Status>
  );
}

function Shortcuts({ close }: { close: () => void }) {
  return (
    <Dialog title={shell.shortcuts} close={close}>
      <dl class="keys">
        {[...shortcutTexts.keys, ...ownDestinations().map(({ key, name }) => [`g ${key}`, name] as const)].map(
          ([keys, what]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ),
        )}
      </dl>
      <Choice
        label={shortcutTexts.enabled}
        checked={shortcuts.value === 'on'}
        change={(on) => void (shortcuts.value = on ? 'on' : 'off')}
      />
      <Choice
        label={shortcutTexts.summaries}
        checked={summaries.value === 'on'}
        change={(on) => void (summaries.value = on ? 'on' : 'off')}
      />
    </Dialog>
  );
}

type ChoiceProps = { label: string; checked: boolean; change(on: boolean): void };

function Choice({ label, checked, change }: ChoiceProps) {
  const id = useId();
  return (
    <div class="field check">
      <input id={id} type="checkbox" checked={checked} onChange={(event) => change(event.currentTarget.checked)} />
      <label for={id}>{label}</label>
    </div>
  );
}
