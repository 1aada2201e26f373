/** What the final answer to an INVITE means for the call (docs/api/telephony.md, "Dialing"). */
export type Verdict =
  /** The trunk is out of reach, or refuses our credentials: nothing is known of the callee. */
  | { type: 'out-of-reach' }
  | {
      type: 'ended';
      status: 'busy' | 'no_answer' | 'failed';
      /** The number does not exist. */
      invalidNumber: boolean;
      /** The callee wants no more calls (607). */
      unwanted: boolean;
    };

export type FinalAnswer = {
  status: number;
  reason: string;
  /** The text of a Reason header; empty without one. */
  reasonText: string;
  /** Whether a provisional response other than 100 came before. */
  hadProvisional: boolean;
};

const ended = (
  status: 'busy' | 'no_answer' | 'failed',
  rest: { invalidNumber?: true; unwanted?: true } = {},
): Verdict => ({
  type: 'ended',
  status,
  invalidNumber: rest.invalidNumber ?? false,
  unwanted: rest.unwanted ?? false,
});

/** How a network says that it blocked a call as spam instead of asking the callee. */
const blocked = /block|analytics/i;

export function verdictOf({ status, reason, reasonText, hadProvisional }: FinalAnswer): Verdict {
  switch (status) {
    case 486:
    case 600:
      return ended('busy');
    case 603:
      return ended(blocked.test(reason) || blocked.test(reasonText) ? 'failed' : 'busy');
    case 480:
    case 487:
      return ended('no_answer');
    case 408:
      return ended(hadProvisional ? 'no_answer' : 'failed');
    case 404:
    case 410:
    case 484:
    case 604:
      return ended('failed', { invalidNumber: true });
    case 607:
      return ended('failed', { unwanted: true });
    case 401:
    case 407:
      return { type: 'out-of-reach' };
    case 503:
      return hadProvisional ? ended('failed') : { type: 'out-of-reach' };
    default:
      return ended('failed');
  }
}

/** `SIP 486 Busy Here`, and the text of a Reason header behind it. */
export const sentenceOf = ({ status, reason, reasonText }: Omit<FinalAnswer, 'hadProvisional'>): string =>
  [`SIP ${status}${reason === '' ? '' : ` ${reason}`}`, reasonText].filter((part) => part !== '').join(': ');

/** The `text` of the first Reason header (RFC 3326) that has one. */
export function reasonTextIn(values: readonly string[]): string {
  const texts = values.map((value) => /;\s*text\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;,\s]+))/i.exec(value));
  const found = texts.find((match) => match !== null);
  return (found?.[1]?.replace(/\\(.)/g, '$1') ?? found?.[2] ?? '').slice(0, 200);
}
