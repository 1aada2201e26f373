import { nodeState } from '../../../../kernel/node.ts';

/** From this many on, numbers that do not exist say something of the trunk, not of the contacts. */
const suspicious = 5;

type End = { invalid: boolean; rang: boolean };

/** How many calls in a row from one number ended as "no such number", none having rung (docs/api/telephony.md, "Dialing"). */
export type InvalidNumbers = {
  /** Whether the called number of a call that has ended is to be taken as invalid. */
  isInvalid(phoneNumberId: string, end: End): boolean;
  /** Counts the end of a call, once it is on disk. */
  count(phoneNumberId: string, end: End): void;
};

export function createInvalidNumbers(): InvalidNumbers {
  const inARow = new Map<string, number>();
  const before = (phoneNumberId: string): number => inARow.get(phoneNumberId) ?? 0;
  return {
    isInvalid: (phoneNumberId, { invalid, rang }) => invalid && (rang || before(phoneNumberId) < suspicious),
    count(phoneNumberId, { invalid, rang }) {
      if (rang) inARow.delete(phoneNumberId);
      else if (invalid) inARow.set(phoneNumberId, before(phoneNumberId) + 1);
    },
  };
}

/** A restart begins the row anew. */
export const invalidNumbers = nodeState('invalidNumbers', createInvalidNumbers);
