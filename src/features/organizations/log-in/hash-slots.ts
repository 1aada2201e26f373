import { AppError } from '../../../base/errors.ts';
import { createBudget } from '../../../base/fair/budget.ts';
import { createSlots } from '../../../base/fair/slots.ts';

/** For whom a password is hashed. Senders take turns; log-ins that are probably genuine go first. */
export type HashRequester = { sender: string; isTrusted: boolean };

export type HashSlots = {
  /** @throws rate_limited when too much work waits, in total or of this sender */
  run<T>(requester: HashRequester, work: () => Promise<T>): Promise<T>;
};

/**
 * Limits how many passwords are hashed at a time and how many wait. A sender gets at most half of the room for waiting, so a flood from one
 * address keeps nobody else out. Of the untrusted work no more competes with the trusted than may run, so trusted work waits for one
 * untrusted hash at most, however many others there are.
 */
export function createHashSlots({ maxRunning, maxPending }: { maxRunning: number; maxPending: number }): HashSlots {
  const slots = createSlots({ max: maxRunning });
  const untrusted = createSlots({ max: maxRunning });
  const pending = { trusted: createBudget(maxPending), untrusted: createBudget(maxPending) };
  return {
    async run({ sender, isTrusted }, work) {
      const budget = isTrusted ? pending.trusted : pending.untrusted;
      if (!budget.tryTake(sender, 1)) throw busy();
      try {
        if (isTrusted) return await slots.run(`trusted ${sender}`, work);
        return await untrusted.run(sender, () => slots.run('untrusted', work));
      } finally {
        budget.release(sender, 1);
      }
    },
  };
}

const busy = (): AppError =>
  new AppError('rate_limited', 'Too many people are logging in right now; try again in a moment.', {
    headers: { 'Retry-After': '2' },
  });
