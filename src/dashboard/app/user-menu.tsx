import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { navigate } from '../state/location.ts';
import { theme, themes } from '../state/preferences.ts';
import { logOut } from '../state/session.ts';
import { shell } from '../text/en.ts';

/** The menu button of the person who is logged in, with the keys of a menu: arrows, Home, End, Escape. */
export function UserMenu({ email }: { email: string }) {
  const isOpen = useSignal(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const items = (): HTMLElement[] => [...root.current!.querySelectorAll<HTMLElement>('[role^=menuitem]')];
  const close = (): void => {
    isOpen.value = false;
    button.current?.focus();
  };
  useEffect(() => {
    if (!isOpen.value) return undefined;
    items()[0]?.focus();
    const outside = (event: Event): void => {
      if (!root.current?.contains(event.target as Node)) isOpen.value = false;
    };
    addEventListener('pointerdown', outside);
    return () => removeEventListener('pointerdown', outside);
  }, [isOpen.value]);
  const onKey = (event: KeyboardEvent): void => {
    if (!isOpen.value) return;
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const target = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (target !== undefined) all[target % all.length]!.focus();
    else if (event.key === 'Escape') close();
    else if (event.key === 'Tab') {
      isOpen.value = false;
      return;
    } else return;
    event.preventDefault();
  };
  const choose = (act: () => void) => () => {
    close();
    act();
  };
  return (
    <div class="menu" ref={root} onKeyDown={onKey}>
      <button
        type="button"
        ref={button}
        class="bare"
        title={email}
        aria-haspopup="menu"
        aria-expanded={isOpen.value}
        aria-controls={isOpen.value ? id : undefined}
        onClick={() => void (isOpen.value = !isOpen.value)}
      >
        <span class="avatar" data-text={email.slice(0, 2).toUpperCase()} />
        <span class="visually-hidden">{email}</span>
      </button>
      {isOpen.value && (
        <div role="menu" id={id} aria-label={email} class="menu-items">
          <button type="button" role="menuitem" tabIndex={-1} onClick={choose(() => void navigate('/account'))}>
            {shell.account}
          </button>
          <div role="group" aria-label={shell.theme}>
            {themes.map((name) => (
              <button
                key={name}
                type="button"
                role="menuitemradio"
                tabIndex={-1}
                aria-checked={theme.value === name}
                onClick={choose(() => void (theme.value = name))}
              >
                {shell.themes[name]}
              </button>
            ))}
          </div>
          <button type="button" role="menuitem" tabIndex={-1} onClick={choose(() => void logOut())}>
            {shell.logOut}
          </button>
        </div>
      )}
    </div>
  );
}
