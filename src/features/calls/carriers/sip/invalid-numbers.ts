import { nodeState } from '../../../../kernel/node.ts';

/** From this many on, numbers that do not exist say something of the trunk, not of the contacts. */
const suspicious = 5;

type End = { callId: string; invalid: boolean; rang: boolean };

/** How many calls in a row from one number ended as "no such number", none having rung (docs/api/telephony.md, "Dialing"). */
export type InvalidNumbers = {
  /** Whether the called number is to be taken as invalid. Counts a call once, however often its end has to be written. */
  count(phoneNumberId: string, end: End): boolean;
};

export function createInvalidNumbers(): InvalidNumbers {
  /** By phone number, the calls of the present row that were believed. */
  const rows = new Map<string, Set<string>>();
  return {
    count(phoneNumberId, { callId, invalid, rang }) {
      if (rang) rows.delete(phoneNumberId);
      if (!invalid || rang) return invalid;
      const row = rows.get(phoneNumberId) ?? new Set();
      rows.set(phoneNumberId, row);
      if (row.size < suspicious) row.add(callId);
      return row.has(callId);
    },
  };
}

/** A restart begins the row anew. */
export const invalidNumbers = nodeState('invalidNumbers', createInvalidNumbers);
