import { signal } from '@preact/signals';

/** Set while the person is asked whether to leave a page with unsaved changes; called with the answer. */
export const askedToLeave = signal<((leave: boolean) => void) | undefined>(undefined);

export function confirmLeaving(): Promise<boolean> {
  return new Promise((resolve) => {
    askedToLeave.value = (leave) => {
      askedToLeave.value = undefined;
      resolve(leave);
    };
  });
}
