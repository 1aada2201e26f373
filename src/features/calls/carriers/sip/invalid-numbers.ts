import { nodeState } from '../../../../kernel/node.ts';

/** From this many on, numbers that do not exist say something of the trunk, not of the contacts. */
const suspicious = 5;

/** How many calls in a row from one number ended as "no such number", none having rung (docs/api/telephony.md, "Dialing"). */
export type InvalidNumbers = {
  /** Counts the end of a call, and returns whether the called number is to be taken as invalid. */
  count(phoneNumberId: string, end: { invalid: boolean; rang: boolean }): boolean;
};

export function createInvalidNumbers(): InvalidNumbers {
  const inARow = new Map<string, number>();
  return {
    count(phoneNumberId, { invalid, rang }) {
      if (rang) inARow.delete(phoneNumberId);
      if (!invalid) return false;
      const before = inARow.get(phoneNumberId) ?? 0;
      if (!rang) inARow.set(phoneNumberId, before + 1);
      return before < suspicious;
    },
  };
}

/** A restart begins the row anew. */
export const invalidNumbers = nodeState('invalidNumbers', createInvalidNumbers);
