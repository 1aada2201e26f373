import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { talking } from '../../text/talking.ts';

type Props = {
  /** Whether something can be said now. */
  isOpen: boolean;
  /** Says it; resolves with whether that succeeded. */
  say(text: string): Promise<boolean>;
  /** When the field is entered. */
  begin?: () => void;
  /** Sending is the main thing to do here. */
  isMain?: boolean;
  /** Further buttons. */
  children?: ComponentChildren;
};

/** The field in which one types to the agent. */
export function Say({ isOpen, say, begin, isMain = false, children }: Props) {
  const text = useSignal('');
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    const typed = text.value.trim();
    if (typed === '' || !isOpen) return;
    text.value = '';
    // A text that could not be sent goes back into the field.
    if (!(await say(typed)) && text.value === '') text.value = typed;
  };
  return (
    <form noValidate onSubmit={(event) => void send(event)}>
      <div class="joined">
        <input
          aria-label={talking.saySomething}
          placeholder={talking.saySomething}
          dir="auto"
          maxLength={1000}
          value={text.value}
          onFocus={begin}
          onInput={(event) => void (text.value = event.currentTarget.value)}
        />
        <button type="submit" class={isMain ? 'primary' : undefined} aria-disabled={!isOpen}>
          {talking.send}
        </button>
        {children}
      </div>
    </form>
  );
}
