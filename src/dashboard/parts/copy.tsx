import { useId, useRef } from 'preact/hooks';
import { announce } from '../state/announce.ts';
import { copyText } from '../state/clipboard.ts';
import { common } from '../text/en.ts';

/** Copies a text to the clipboard. */
export function CopyButton({ text, name = common.copy }: { text: () => string; name?: string }) {
  const button = useRef<HTMLButtonElement>(null);
  const copy = async (): Promise<void> => {
    await copyText(text());
    button.current?.focus();
    announce(common.copied);
  };
  return (
    <button type="button" ref={button} onClick={() => void copy()}>
      {name}
    </button>
  );
}

/** A text to take away, such as a new key: selected when it gets the focus, with a button that copies it. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} readOnly value={value} onFocus={(event) => event.currentTarget.select()} />
      <div class="buttons">
        <CopyButton text={() => value} />
      </div>
    </div>
  );
}
