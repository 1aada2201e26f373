/** One webhook URL of an agent, and its health. A URL that is saved again after it was removed becomes a new endpoint. */
export type Endpoint = {
  id: string;
  orgId: string;
  agentId: string;
  url: string;
  /** The URL's index in the list of the agent's URLs, from 0. */
  position: number;
  /** To a `failing` endpoint only its probe is sent automatically, to one that somebody `paused` nothing. */
  status: EndpointStatus;
  failingSince: number | null;
  pausedAt: number | null;
  /** Why somebody paused it, in their words. */
  pauseReason: string | null;
  /** Why the last attempt failed; null after a success. */
  lastError: string | null;
  /** Failed attempts since the last success, or since the endpoint was resumed. */
  failures: number;
  /** Number of deliveries that wait until the endpoint recovers. */
  held: number;
  /** A sweep changes the status of all deliveries that wait for the endpoint, batch by batch. Null if none is under way. */
  sweep: Sweep | null;
  /** How many sweeps have been started; identifies the present or last one. */
  sweeps: number;
  createdAt: number;
};

/**
 * The kinds of sweep. When an endpoint fails, its waiting deliveries are held; when it recovers, they are released; when its URL is
 * removed, they are cancelled.
 */
export const sweepNames = ['hold', 'release', 'cancel'] as const;
export type Sweep = (typeof sweepNames)[number];

export const endpointStatuses = ['delivering', 'failing', 'paused'] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];

/** The effect of saving an agent's URLs. `removed` endpoints lost their URL; `resumed` ones were failing and are saved again. */
export type EndpointChanges<E> = {
  added: Array<{ url: string; position: number }>;
  moved: Array<{ endpoint: E; position: number }>;
  removed: E[];
  resumed: E[];
};

/** Compares an agent's endpoints with the URLs to save. A duplicate URL counts once, at its first position. */
export function changesOf<E extends Pick<Endpoint, 'url' | 'position' | 'status'>>(
  endpoints: readonly E[],
  urls: readonly string[],
): EndpointChanges<E> {
  const positions = new Map([...new Set(urls)].map((url, position) => [url, position]));
  const existing = new Set(endpoints.map(({ url }) => url));
  const kept = endpoints.filter(({ url }) => positions.has(url));
  return {
    added: [...positions].filter(([url]) => !existing.has(url)).map(([url, position]) => ({ url, position })),
    moved: kept
      .map((endpoint) => ({ endpoint, position: positions.get(endpoint.url)! }))
      .filter(({ endpoint, position }) => endpoint.position !== position),
    removed: endpoints.filter(({ url }) => !positions.has(url)),
    resumed: kept.filter(({ status }) => status === 'failing'),
  };
}
