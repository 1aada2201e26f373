import type { Call, CallTimelineEntry, TranscriptEntry } from '../../client.ts';
import { useLive } from '../../state/live.ts';

/** The live topic of a call: what was said and happened until now. It ends with the call. */
type LiveCall = {
  state: Call['state'];
  status: Call['status'];
  transcript: readonly TranscriptEntry[];
  timeline: readonly CallTimelineEntry[];
};

export const useLiveCall = (id: string | undefined): LiveCall | undefined =>
  useLive<LiveCall>(id === undefined ? undefined : `call:${id}`);
