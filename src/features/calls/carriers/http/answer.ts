import { AppError } from '../../../../base/errors.ts';
import type { OutboundResponse } from '../../../../base/outbound/client.ts';
import type { DialAnswer } from '../carrier.ts';

type Answered = Pick<OutboundResponse, 'statusCode' | 'responseStart'>;
type Said = { accepted?: unknown; reason?: unknown; message?: unknown; invalid_number?: unknown };

/** What is shown of the runtime's own words. */
const longestReason = 500;

/**
 * What the runtime's answer to `call.dial` means. 409 says that it has the call already, which is what was wanted; 429 that it
 * takes none just now.
 * @throws an AppError `provider` for a failure (5xx), a redirect or nonsense: the call may or may not have been taken
 */
export function dialAnswer({ statusCode, responseStart }: Answered): DialAnswer {
  const said = readJson(responseStart);
  const isSuccess = statusCode >= 200 && statusCode < 300;
  if (said?.accepted === false && (isSuccess || statusCode === 409)) {
    return refusal(said, 'The voice runtime refused the call.');
  }
  if (statusCode === 409 || (isSuccess && (said?.accepted === true || responseStart.trim() === ''))) {
    return { accepted: true };
  }
  if (isSuccess) throw provider(`The voice runtime answered ${statusCode}, but neither {"accepted": …} nor nothing.`);
  if (statusCode === 429) return { ...refusal(said, 'The voice runtime takes no calls just now.'), dialAgain: true };
  if (statusCode >= 400 && statusCode < 500) {
    return refusal(said, `The voice runtime refused the call with status ${statusCode}.`);
  }
  const words = wordsOf(said);
  throw provider(`The voice runtime answered ${statusCode}${words === undefined ? '.' : `: ${words}`}`);
}

/** @throws an AppError `provider` for anything but 2xx and 404 */
export function knowsAnswer({ statusCode }: Answered): boolean {
  if (statusCode >= 200 && statusCode < 300) return true;
  if (statusCode === 404) return false;
  throw provider(`The voice runtime answered ${statusCode} when asked whether it knows the call.`);
}

/**
 * A call that the runtime does not know, or that has ended, needs no hanging up.
 * @throws an AppError `provider` for anything but 2xx, 404, 409 and 410
 */
export function checkHungUp({ statusCode }: Answered): void {
  if ((statusCode >= 200 && statusCode < 300) || [404, 409, 410].includes(statusCode)) return;
  throw provider(`The voice runtime answered ${statusCode} when told to hang up.`);
}

const provider = (message: string): AppError => new AppError('provider', message);

function refusal(said: Said | undefined, otherwise: string): Extract<DialAnswer, { accepted: false }> {
  return { accepted: false, reason: wordsOf(said) ?? otherwise, invalidNumber: said?.invalid_number === true };
}

function wordsOf(said: Said | undefined): string | undefined {
  const isWords = (text: unknown): text is string => typeof text === 'string' && text.trim() !== '';
  return [said?.reason, said?.message].find(isWords)?.trim().slice(0, longestReason);
}

/** A JSON object, or undefined for anything else. */
function readJson(text: string): Said | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined; // not JSON: the status alone speaks
  }
}
