/**
 * Whoever did something: a caller with an API key, a token or a session, the operator on the command line, or somebody without credentials.
 * `name` is the one that the key or person had then.
 */
export type Actor =
  | { kind: 'api_key' | 'token' | 'session'; id: string; name: string | null }
  | { kind: 'operator' | 'anonymous'; id: null; name: null };
