import { AppError } from '../../base/errors.ts';

const maxStreams = 500;
const maxStreamsPerOwner = 20;

export type PlaceRequest = {
  orgId: string;
  /** The session, key or token that opens the stream. */
  owner: string;
  /** Ends the stream, because an organization with fewer streams needs the place. */
  evict: () => void;
};

/**
 * Limits the number of streams. Returns a function that takes a place for a stream, and returns the function that frees it. When no place
 * is free, an organization that has fewer streams than another takes one from it, so that nobody can keep the others from watching.
 * @throws unavailable when there is no place
 */
export function streamPlaces(): (request: PlaceRequest) => () => void {
  const places = new Set<PlaceRequest>();

  return (request) => {
    const isOwners = ({ owner }: PlaceRequest): boolean => owner === request.owner;
    if (countIn(places, isOwners) >= maxStreamsPerOwner) throw tooManyOfOwner();
    if (places.size >= maxStreams) {
      const evicted = newestOfLargest(places, request.orgId);
      if (!evicted) throw tooMany();
      places.delete(evicted);
      evicted.evict();
    }
    places.add(request);
    return () => void places.delete(request);
  };
}

/**
 * The newest stream of the organization that has most streams, provided that it has at least two more than `orgId`. If one more were
 * enough, the two organizations would evict each other's streams in turn.
 */
function newestOfLargest(places: ReadonlySet<PlaceRequest>, orgId: string): PlaceRequest | undefined {
  const counts = new Map<string, number>();
  for (const place of places) counts.set(place.orgId, (counts.get(place.orgId) ?? 0) + 1);
  const [largest = '', count = 0] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  if (count < (counts.get(orgId) ?? 0) + 2) return undefined;
  return [...places].findLast((place) => place.orgId === largest);
}

function countIn<T>(values: Iterable<T>, matches: (value: T) => boolean): number {
  let count = 0;
  for (const value of values) if (matches(value)) count += 1;
  return count;
}

const tooMany = (): AppError => unavailable('The server has too many streams open at the moment. Try again later.');

const tooManyOfOwner = (): AppError =>
  unavailable(
    `This session, key or token has ${maxStreamsPerOwner} streams open already. Close one, or watch several topics in one stream.`,
  );

const unavailable = (message: string): AppError =>
  new AppError('unavailable', message, { headers: { 'Retry-After': '5' } });
