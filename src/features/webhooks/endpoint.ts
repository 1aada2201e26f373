/** One webhook URL of an agent and how it fares. Saving the same URL again after it was removed makes a new endpoint. */
export type Endpoint = {
  id: string;
  orgId: string;
  agentId: string;
  url: string;
  /** `failing`: paused; nothing is sent to it by itself but the probe. */
  status: EndpointStatus;
  failingSince: number | null;
  /** Why the last attempt failed; null after one that did not. */
  lastError: string | null;
  /** How many deliveries are held back until it heals. */
  held: number;
  createdAt: number;
};

export const endpointStatuses = ['delivering', 'failing'] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];

/** What saving an agent's URLs does to the endpoints that live. */
export type EndpointChanges<E> = { added: string[]; removed: E[]; revived: E[] };

/** New URLs become endpoints, URLs that are gone end theirs, and a failing one that is saved again is given another chance. */
export function changesOf<E extends { url: string; status: EndpointStatus }>(
  live: readonly E[],
  urls: readonly string[],
): EndpointChanges<E> {
  const wanted = new Set(urls);
  const known = new Set(live.map(({ url }) => url));
  return {
    added: [...wanted].filter((url) => !known.has(url)),
    removed: live.filter(({ url }) => !wanted.has(url)),
    revived: live.filter(({ url, status }) => wanted.has(url) && status === 'failing'),
  };
}
