import { shortcuts } from '../state/preferences.ts';

type Actions = {
  search(): void;
  shortcuts(): void;
  /** Called with the letter that follows `g`. */
  go(key: string): void;
};

/** So soon after `g` a letter goes to a page. */
const sequenceMs = 1500;

const typing = 'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]';

/** Ctrl+K and Cmd+K everywhere; single keys only where nobody types, and only if they are switched on. */
export function listenForKeys({ search, shortcuts: showShortcuts, go }: Actions): () => void {
  let pressedG = -Infinity;
  const onKey = (event: KeyboardEvent): void => {
    const { key } = event;
    if (key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey) {
      event.preventDefault();
      if (!document.querySelector('dialog[open]')) search();
      return;
    }
    if (shortcuts.value !== 'on' || event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.target as Element).closest(typing) || document.querySelector('dialog[open]')) return;
    const isSecond = performance.now() - pressedG < sequenceMs;
    pressedG = key === 'g' && !isSecond ? performance.now() : -Infinity;
    if (isSecond) go(key);
    else if (key === 'g') return;
    else if (key === '?') showShortcuts();
    else if (key === 'j' || key === 'k') moveRow(key === 'j' ? 1 : -1);
    else if (key === 'x') selectRow();
    else return;
    event.preventDefault();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

/** Moves the focus to the link or first control of the next or previous row; Enter then opens it. */
function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll('tr[data-row]')].filter((row) => row.querySelector('a, button, input'));
  if (rows.length === 0) return;
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  const next =
    current === -1 ? (step === 1 ? 0 : rows.length - 1) : Math.min(Math.max(current + step, 0), rows.length - 1);
  const row = rows[next]!;
  (row.querySelector<HTMLElement>('a') ?? row.querySelector<HTMLElement>('button, input'))?.focus();
}

/** Selects the row that has the focus, or no longer. */
function selectRow(): void {
  document.activeElement?.closest('tr[data-row]')?.querySelector<HTMLElement>('[data-select]')?.click();
}
