import { AppError } from '../../../../base/errors.ts';
import type { OutboundResponse } from '../../../../base/outbound/client.ts';
import type { DialAnswer } from '../carrier.ts';

type RuntimeAnswer = Pick<OutboundResponse, 'statusCode' | 'responseStart'>;
type AnswerBody = { accepted?: unknown; reason?: unknown; message?: unknown; invalid_number?: unknown };

/** The runtime's own reason is cut to this length before it is stored. */
const maxReasonChars = 500;

/**
 * Interprets the runtime's answer to `call.dial`. 409 means that the runtime already has the call, which counts as accepted; 429 that it
 * takes no calls now. Any other 4xx, and 409 or 2xx with `{"accepted": false}`, refuse the call.
 * @throws AppError `provider` for any other status, and for 2xx with another body: the runtime may or may not have the call
 */
export function dialAnswer({ statusCode, responseStart }: RuntimeAnswer): DialAnswer {
  const body = readJson(responseStart);
  const isSuccess = statusCode >= 200 && statusCode < 300;
  if (body?.accepted === false && (isSuccess || statusCode === 409)) {
    return refusal(body, 'The voice runtime refused the call.');
  }
  if (statusCode === 409 || (isSuccess && (body?.accepted === true || responseStart.trim() === ''))) {
    return { accepted: true };
  }
  if (isSuccess)
    throw provider(`The voice runtime answered ${statusCode} with a body that is neither empty nor {"accepted": …}.`);
  if (statusCode === 429)
    return {
      accepted: false,
      outOfReach: true,
      reason: reasonIn(body) ?? 'The voice runtime takes no calls at the moment.',
      nothingThere: false,
    };
  if (statusCode >= 400 && statusCode < 500) {
    return refusal(body, `The voice runtime refused the call with status ${statusCode}.`);
  }
  const reason = reasonIn(body);
  throw provider(`The voice runtime answered ${statusCode}${reason === undefined ? '.' : `: ${reason}`}`);
}

/** @throws AppError `provider` for any status but 2xx and 404 */
export function knowsAnswer({ statusCode }: RuntimeAnswer): boolean {
  if (statusCode >= 200 && statusCode < 300) return true;
  if (statusCode === 404) return false;
  throw provider(`The voice runtime answered ${statusCode} when asked whether it knows the call.`);
}

/**
 * Accepts 404, 409 and 410, too: a call that the runtime does not know or that has ended needs no hang-up.
 * @throws AppError `provider` for any status but 2xx, 404, 409 and 410
 */
export function checkHungUp({ statusCode }: RuntimeAnswer): void {
  if ((statusCode >= 200 && statusCode < 300) || [404, 409, 410].includes(statusCode)) return;
  throw provider(`The voice runtime answered ${statusCode} when told to hang up.`);
}

const provider = (message: string): AppError => new AppError('provider', message);

function refusal(body: AnswerBody | undefined, otherwise: string): DialAnswer {
  return { accepted: false, reason: reasonIn(body) ?? otherwise, invalidNumber: body?.invalid_number === true };
}

function reasonIn(body: AnswerBody | undefined): string | undefined {
  const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
  return [body?.reason, body?.message].find(isText)?.trim().slice(0, maxReasonChars);
}

/** A JSON object, or undefined for anything else. */
function readJson(text: string): AnswerBody | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined; // not JSON: the status alone decides
  }
}
