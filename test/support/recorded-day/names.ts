/**
 * Names for the ids of a day, so that two recordings of it can be compared: a call is named by its campaign, number and attempt, whatever
 * its id. Ids that nothing names are all alike.
 */
export type Names = {
  /** Names an id; the first name stays. */
  add(id: string | null | undefined, name: string): void;
  nameOf(id: string): string;
  /** A text with the names of its ids, and without what differs in each run. */
  plain(text: string): string;
};

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/giu;

export function createNames(receiverUrl: string): Names {
  const names = new Map<string, string>();
  const nameOf = (id: string): string => names.get(id) ?? 'id';
  return {
    add(id, name) {
      if (typeof id === 'string' && !names.has(id)) names.set(id, name);
    },
    nameOf,
    plain: (text) =>
      text
        .replaceAll(receiverUrl, 'http://receiver')
        .replaceAll(receiverUrl.replace('http://', ''), 'receiver')
        .replaceAll(uuid, (id) => `<${nameOf(id)}>`)
        .replaceAll(/whsec_[A-Za-z0-9+/=]+/gu, '<secret>')
        .replaceAll(/v1,[A-Za-z0-9+/]{43}=/gu, '<signature>')
        .replaceAll(/("webhook-timestamp":")\d+/gu, '$1<real time>')
        .replaceAll(/("date":")[^"]+/gu, '$1<real time>')
        .replaceAll(/("duration_ms":)\d+/gu, '$1<real time>'),
  };
}
