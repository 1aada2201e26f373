/**
 * How a request to the provider fails: it `refused` the key, found nothing (`not_found`), `rejected` the request itself, or `failed` in
 * any other way: unreachable, overloaded, broken, or not speaking Cal.com API v2.
 */
export type FailureKind = 'refused' | 'not_found' | 'rejected' | 'failed';

export type FailureOptions = {
  statusCode?: number;
  /** The same request may succeed in a moment. */
  temporary?: boolean;
  /** How long the provider asks to wait before a retry. */
  retryAfterMs?: number;
  /** The request certainly never reached the provider. */
  notSent?: boolean;
  /** The provider's own message, without the words that we put around it. */
  providerMessage?: string | undefined;
  cause?: unknown;
};

/** A failed request to the provider. Its message is a sentence that callers may see, and never contains a key. */
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

/**
 * Whether the failure concerns the whole account, not just this request: the key was refused or cannot be read, or the provider failed
 * (unreachable, overloaded or broken).
 */
export const isAccountFailure = ({ kind }: ProviderFailure): boolean => kind === 'refused' || kind === 'failed';
