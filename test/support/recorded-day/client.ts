export type Json = Record<string, unknown> & { id: string };
export type Envelope<D> = { success: boolean; message: string; data: D; meta?: { next?: string | null } };
export type Client = {
  organization: string;
  /** Sends a request that changes something, lets all that is due now run, and notes the answer. */
  act<D = Json>(method: string, path: string, body?: unknown): Promise<D>;
  /** The text of an answer. */
  text(path: string): Promise<string>;
  read<D = Json>(path: string): Promise<Envelope<D>>;
  /** All pages of a list. */
  all(path: string): Promise<Json[]>;
};

type Options = { url: string; apiKey: string; organization: string; notes: string[] };

export function createClient({ url, apiKey, organization, notes }: Options): Client {
  const send = async (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        'x-api-key': apiKey,
        ...(body === undefined ? {} : { 'content-type': typeof body === 'string' ? 'text/csv' : 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const read = async <D>(path: string): Promise<Envelope<D>> => {
    const answer = await send('GET', path);
    return (await answer.json()) as Envelope<D>;
  };
  return {
    organization,
    async act<D>(method: string, path: string, body?: unknown): Promise<D> {
      const answer = await send(method, path, body);
      const text = await answer.text();
      await (await send('POST', '/test-clock/advance', { ms: 0 })).text();
      notes.push(`${organization} ${method} ${path} -> ${answer.status}\n${text}`);
      return (JSON.parse(text) as Envelope<D>).data;
    },
    text: async (path) => (await send('GET', path)).text(),
    read,
    async all(path) {
      const rows: Json[] = [];
      for (let after: string | null | undefined = ''; typeof after === 'string';) {
        const { data, meta }: Envelope<Json[]> = await read(
          `${path}${path.includes('?') ? '&' : '?'}limit=500&after=${after}`,
        );
        rows.push(...data);
        after = meta?.next;
      }
      return rows;
    },
  };
}
