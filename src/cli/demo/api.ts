/** A client of the public HTTP API. It uses no other part of the program, so the demo sees only what a customer would. */
export type Api = {
  get<T>(path: string): Promise<Answer<T>>;
  post<T>(path: string, body: unknown): Promise<Answer<T>>;
  put<T>(path: string, body: unknown): Promise<Answer<T>>;
  patch<T>(path: string, body: unknown): Promise<Answer<T>>;
};

/** `total` counts the items of a paged list on all pages; 0 for any other answer. */
export type Answer<T> = { data: T; total: number };

type Envelope<T> = { success: boolean; message: string; data?: T; meta?: { total: number }; details?: unknown };

/** Every method rejects if the request fails; the error's message names the request, the status and the problems. */
export function createApi(url: string, apiKey: string): Api {
  async function send<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'x-api-key': apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const envelope = (await response.json()) as Envelope<T>;
    if (!envelope.success) {
      const details = envelope.details === undefined ? '' : ` ${JSON.stringify(envelope.details)}`;
      throw new Error(`${method} ${path} was answered with ${response.status}: ${envelope.message}${details}`);
    }
    return { data: envelope.data as T, total: envelope.meta?.total ?? 0 };
  }
  return {
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
    patch: (path, body) => send('PATCH', path, body),
  };
}
