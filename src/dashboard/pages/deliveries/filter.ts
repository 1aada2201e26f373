export const statuses = ['pending', 'delivering', 'delivered', 'retrying', 'held', 'exhausted', 'cancelled'] as const;
type DeliveryStatus = (typeof statuses)[number];

/** HTTPS goes without saying. */
export const shownUrl = (url: string): string => url.replace(/^https:\/\//, '');

/** The filters in the address, as the list and sending again take them. */
export function filterOf(parameters: URLSearchParams) {
  const chosen = ['status', 'endpoint_id', 'agent_id', 'event_id', 'since', 'until'].flatMap((name) => {
    const value = parameters.get(name);
    return value === null || value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(chosen) as { status?: DeliveryStatus; endpoint_id?: string; since?: string };
}
