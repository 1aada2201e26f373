import { integer, milliseconds, oneOf, section, text, textOrNull } from '../../base/config/kinds.ts';
import { type Static, Type } from '../../base/typebox.ts';
import { speechEngines } from './engine.ts';

const url = (description: string) => textOrNull(description, { format: 'http_url' });
const key = (description: string) => textOrNull(description, { secret: true, format: 'header_value' });

/** Settings of what speaks in calls. They travel to the telephony thread as they are. */
export const speechSettings = section({
  engine: Type.Union([Type.Enum([...speechEngines]), Type.Null()], {
    default: null,
    description:
      'What speaks in calls: realtime (one service that hears, thinks and speaks), cascade (three services), echo (greets and says back what it hears, to try a line).',
  }),
  realtime: section({
    url: text('wss://api.openai.com/v1/realtime', 'Full URL of the WebSocket of the realtime service.', {
      format: 'ws_url',
    }),
    api_key: key('API key of the realtime service; needed with the default URL.'),
    auth: oneOf(
      ['bearer', 'api-key'],
      'bearer',
      'How the key is sent: bearer (Authorization: Bearer …) or api-key (the header api-key, as Azure wants it).',
    ),
    audio: oneOf(
      ['g711', 'pcm'],
      'g711',
      'Sound to and from the service: g711 (as in the call) or pcm (24 kHz, for servers that take nothing else).',
    ),
    dialect: oneOf(
      ['auto', 'ga', 'beta'],
      'auto',
      'Shape of the session: auto (recognized by the first event of the server), ga or beta (older servers).',
    ),
    turn_detection: oneOf(
      ['server_vad', 'semantic_vad'],
      'server_vad',
      'How the service notices the end of a turn: server_vad (by silence) or semantic_vad (by what was said).',
    ),
    transcription_model: Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
      default: 'auto',
      description:
        "Model that writes down what the other side says: auto (gpt-4o-mini-transcribe at api.openai.com, elsewhere the server's own) or a name; null asks for none.",
    }),
  }),
  stt: section({
    url: url('Full URL of /audio/transcriptions, for the engine cascade.'),
    model: textOrNull('Model for the transcription; null names none.'),
    api_key: key('API key for the transcription.'),
  }),
  llm: section({
    url: url('Full URL of /chat/completions, for the engine cascade.'),
    model: textOrNull("Model that answers; null: the agent's."),
    api_key: key('API key for the completions.'),
  }),
  tts: section({
    url: url('Full URL of /audio/speech, for the engine cascade.'),
    model: textOrNull('Model that speaks; null names none.'),
    api_key: key('API key for the speech.'),
    sample_rate: integer(24_000, 'Samples a second of the PCM that the speech service answers.', {
      minimum: 8000,
      maximum: 96_000,
    }),
  }),
  cascade: section({
    pause_ms: milliseconds(500, 'Silence that ends a turn of the other side, in milliseconds.'),
    interrupt_ms: milliseconds(300, 'Speech of the other side that interrupts the agent, in milliseconds.'),
  }),
  connect_timeout_ms: milliseconds(5000, 'Longest wait for a session with a speech service, in milliseconds.'),
  response_timeout_ms: milliseconds(
    10_000,
    'Longest wait from the end of a turn to the first sound of the answer, in milliseconds.',
  ),
});

export type SpeechSettings = Static<typeof speechSettings>;

/** Times of the verdict on who has answered, in milliseconds. */
export const voicemailSettings = section({
  initial_silence_ms: milliseconds(2500, 'Silence after the answer that is taken for a person, in milliseconds.'),
  greeting_ms: milliseconds(2500, 'Speech up to this length, then silence, is that of a person, in milliseconds.'),
  machine_ms: milliseconds(6000, 'Speech longer than this is that of a machine, in milliseconds.'),
  after_greeting_silence_ms: milliseconds(700, 'Silence that ends a greeting, in milliseconds.'),
  message_wait_ms: milliseconds(
    30_000,
    'Longest wait for the tone or the silence of a mailbox before the voicemail message, in milliseconds.',
  ),
});

export type VoicemailSettings = Static<typeof voicemailSettings>;

export const defaultRealtimeUrl = 'wss://api.openai.com/v1/realtime';
