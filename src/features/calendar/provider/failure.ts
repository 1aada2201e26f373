/**
 * What the provider does instead of answering: `refused` the key, found nothing (`not_found`), `rejected` what was asked of it, or
 * `failed` in any other way: out of reach, overloaded, broken, or answering what Cal.com API v2 does not.
 */
export type FailureKind = 'refused' | 'not_found' | 'rejected' | 'failed';

export type FailureOptions = {
  statusCode?: number;
  /** Whether the same request may succeed in a moment. */
  passing?: boolean;
  /** How long the provider wants to be left alone first. */
  retryAfterMs?: number;
  /** Whether the provider certainly has not heard of the request. */
  unheard?: boolean;
  /** What the provider itself says, without our words around it. */
  said?: string | undefined;
  cause?: unknown;
};

/** A request to the provider that came to nothing. The message is a sentence that may be shown, and holds no key. */
export class ProviderFailure extends Error {
  readonly kind: FailureKind;
  readonly options: FailureOptions;

  constructor(kind: FailureKind, message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ProviderFailure';
    this.kind = kind;
    this.options = options;
  }
}

/** Whether the failure is the account's: its key, or the way to the provider. Otherwise the provider did answer. */
export const isAccountFailure = ({ kind }: ProviderFailure): boolean => kind === 'refused' || kind === 'failed';
