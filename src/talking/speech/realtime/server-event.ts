import { scanJson } from '../../../base/json-scan.ts';

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
  'response.text.delta': 'response.output_text.delta',
  'response.audio_transcript.done': 'response.output_audio_transcript.done',
};

/** An event is small but for its sound and text, which are single values. */
const limits = { maxValues: 20_000, maxDepth: 64 };
const alwaysRead = 65_536;

type Json = Record<string, unknown>;

const objectOf = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null ? (value as Json) : undefined;

/** The fields of an object that are texts. A server that sends something else must not end the thread. */
function texts<Name extends string>(from: Json | undefined, names: readonly Name[]): { [name in Name]?: string } {
  const found: { [name in Name]?: string } = {};
  for (const name of names) {
    const value = from?.[name];
    if (typeof value === 'string') found[name] = value;
  }
  return found;
}

const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

const eventTexts = ['delta', 'transcript', 'item_id', 'response_id', 'call_id', 'name', 'arguments'] as const;
const itemTexts = ['id', 'type', 'name', 'call_id', 'arguments', 'status'] as const;

function responseIn(value: unknown): Pick<ServerEvent, 'response'> {
  const response = objectOf(value);
  if (!response) return {};
  const usage = objectOf(response['usage']);
  const error = objectOf(objectOf(response['status_details'])?.['error']);
  const [input, output] = [number(usage?.['input_tokens']), number(usage?.['output_tokens'])];
  return {
    response: {
      ...texts(response, ['id', 'status']),
      ...(usage && {
        usage: {
          ...(input !== undefined && { input_tokens: input }),
          ...(output !== undefined && { output_tokens: output }),
        },
      }),
      ...(error && { status_details: { error: texts(error, ['code', 'message']) } }),
    },
  };
}

/** Undefined for what is no event. */
export function readEvent(bytes: Buffer): ServerEvent | undefined {
  if (bytes.length > alwaysRead && scanJson(bytes, limits).exceeded !== undefined) return undefined;
  try {
    const event = objectOf(JSON.parse(bytes.toString('utf8')));
    const type = event?.['type'];
    if (!event || typeof type !== 'string') return undefined;
    const [session, item, error] = [event['session'], event['item'], event['error']].map(objectOf);
    const startMs = number(event['audio_start_ms']);
    return {
      type: renamed[type] ?? type,
      ...texts(event, eventTexts),
      ...(session && { session }),
      ...(startMs !== undefined && { audio_start_ms: startMs }),
      ...(item && { item: texts(item, itemTexts) }),
      ...responseIn(event['response']),
      ...(error && { error: texts(error, ['type', 'code', 'message', 'event_id']) }),
    };
  } catch {
    return undefined;
  }
}
