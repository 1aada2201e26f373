/** An event of the realtime service, with the fields that parley reads. Both names of events of audio are read. */
export type ServerEvent = {
  type: string;
  session?: Record<string, unknown>;
  delta?: string;
  transcript?: string;
  item_id?: string;
  response_id?: string;
  call_id?: string;
  name?: string;
  arguments?: string;
  audio_start_ms?: number;
  item?: { id?: string; type?: string; name?: string; call_id?: string; arguments?: string; status?: string };
  response?: {
    id?: string;
    status?: string;
    usage?: { input_tokens?: number; output_tokens?: number } | null;
    status_details?: { error?: { code?: string; message?: string } } | null;
  };
  error?: { type?: string; code?: string | null; message?: string; event_id?: string | null };
};

/** The older names of events, by the newer ones. */
const renamed: Readonly<Record<string, string>> = {
  'response.audio.delta': 'response.output_audio.delta',
  'response.audio.done': 'response.output_audio.done',
  'response.audio_transcript.delta': 'response.output_audio_transcript.delta',
  'response.audio_transcript.done': 'response.output_audio_transcript.done',
};

/** Undefined for what is no event. */
export function readEvent(text: string): ServerEvent | undefined {
  try {
    const event = JSON.parse(text) as ServerEvent | null;
    if (typeof event !== 'object' || event === null || typeof event.type !== 'string') return undefined;
    return { ...event, type: renamed[event.type] ?? event.type };
  } catch {
    return undefined;
  }
}
