import { AppError } from '../../base/errors.ts';

const maxStreams = 500;
const maxStreamsPerOwner = 20;

export type StreamRequest = {
  orgId: string;
  /** The session, key or token that opens the stream. */
  owner: string;
  /** Ends the stream, because an organization with fewer streams needs its slot. */
  evict: () => void;
};

/**
 * Limits the number of streams. Returns a function that takes a slot for a stream, and returns the function that frees it. When no slot
 * is free, an organization that has fewer streams than another takes one from it, so that nobody can keep the others from watching.
 * @throws unavailable when there is none
 */
export function streamSlots(): (request: StreamRequest) => () => void {
  const open = new Set<StreamRequest>();

  return (request) => {
    const isOwners = ({ owner }: StreamRequest): boolean => owner === request.owner;
    if (countIn(open, isOwners) >= maxStreamsPerOwner) throw tooManyOfOwner();
    if (open.size >= maxStreams) {
      const evicted = newestOfLargest(open, request.orgId);
      if (!evicted) throw tooMany();
      open.delete(evicted);
      evicted.evict();
    }
    open.add(request);
    return () => void open.delete(request);
  };
}

/**
 * The newest stream of the organization that has most streams, provided that it has at least two more than `orgId`. If one more were
 * enough, the two organizations would evict each other's streams in turn.
 */
function newestOfLargest(open: ReadonlySet<StreamRequest>, orgId: string): StreamRequest | undefined {
  const counts = new Map<string, number>();
  for (const { orgId: owner } of open) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  const [largest = '', count = 0] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  if (count < (counts.get(orgId) ?? 0) + 2) return undefined;
  return [...open].findLast((stream) => stream.orgId === largest);
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
