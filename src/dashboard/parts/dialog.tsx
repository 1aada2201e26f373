import type { ComponentChildren } from 'preact';
import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Action } from '../state/action.ts';
import { common } from '../text/en.ts';
import { ActionProblem } from './page.tsx';

type DialogProps = {
  title: string;
  close(): void;
  /** Leaves out the button "Close", where the content has its own way out. */
  bare?: boolean;
  /** Its title is read by screen readers only, where the content says the same. */
  untitled?: boolean;
  wide?: boolean;
  children: ComponentChildren;
};

/** A modal dialog, shown as long as it is rendered. The browser keeps the focus inside and gives it back afterwards. */
export function Dialog({ title, close, bare = false, untitled = false, wide = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the browser paints: what is typed right after it appears goes into the dialog.
  useLayoutEffect(() => {
    const dialog = element.current!;
    const before = document.activeElement as HTMLElement | null;
    dialog.showModal();
    // Not `autofocus`: the browser tries that one when the element appears, before the dialog is open, and logs that it may not.
    dialog.querySelector<HTMLElement>('[data-first-focus]')?.focus();
    return () => {
      dialog.close();
      before?.focus();
    };
  }, []);
  const cancel = (event: Event): void => {
    event.preventDefault();
    close();
  };
  return (
    <dialog ref={element} aria-labelledby={id} class={wide ? 'wide' : undefined} onCancel={cancel}>
      <div class="dialog-body">
        <div class={untitled ? 'visually-hidden' : 'dialog-head'}>
          <h2 id={id} dir="auto">
            {title}
          </h2>
          {!bare && (
            <button type="button" onClick={close}>
              {common.close}
            </button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  );
}

type ConfirmProps = {
  title: string;
  text?: ComponentChildren;
  /** Details of what the button does. */
  children?: ComponentChildren;
  wide?: boolean;
  /** The name of the button that does it. */
  action: string;
  act(): Promise<unknown>;
  /** What `act` runs: as long as it is refused, the dialog stays, and says why. */
  of: Action;
  close(): void;
};

/** Asks before something that cannot be undone. The focus is first on the button that changes nothing. */
export function Confirm({ title, text, children, wide = false, action, act, of, close }: ConfirmProps) {
  const isTried = useSignal(false);
  const tryIt = async (): Promise<void> => {
    if (of.busy) return;
    isTried.value = true;
    await act();
    if (!of.hasFailed()) close();
  };
  return (
    <Dialog title={title} close={close} bare wide={wide}>
      {text && <p>{text}</p>}
      {children}
      {isTried.value && <ActionProblem of={of} />}
      <div class="buttons">
        <button type="button" data-first-focus onClick={close}>
          {common.cancel}
        </button>
        <button type="button" class="danger" onClick={() => void tryIt()}>
          {action}
        </button>
      </div>
    </Dialog>
  );
}
