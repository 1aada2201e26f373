import type { Codec } from '../../../telephony/audio/g711.ts';
import { instructionsOf } from '../../conversation/instructions.ts';
import { allTools } from '../../conversation/own-tools.ts';
import type { AgentInCall, ToolDefinition } from '../engine.ts';
import type { SpeechSettings } from '../settings.ts';

export type DialectName = 'ga' | 'beta';

type Json = Record<string, unknown>;
export type TurnDetection = { type: 'server_vad' | 'semantic_vad' } | null;

export type SessionParts = {
  agent: AgentInCall;
  codec: Codec;
  /** G.711 as in the call, or PCM at 24 kHz. */
  audio: SpeechSettings['realtime']['audio'];
  turnDetection: TurnDetection;
  /** The value of `transcription`; undefined: none is asked for. */
  transcription: object | undefined;
};

/** A session in which nobody speaks. */
export type TextParts = { instructions: string; temperature: number; tools: readonly ToolDefinition[] };

/** Where two shapes of the protocol differ. */
export type Dialect = {
  session(parts: SessionParts): Json;
  textSession(parts: TextParts): Json;
  turnDetection(turnDetection: TurnDetection): Json;
  /** The type of the text of an assistant's message. */
  assistantText: 'output_text' | 'text';
};

const functionsOf = (tools: readonly ToolDefinition[]) => tools.map((tool) => ({ type: 'function', ...tool }));
const functionsIn = (agent: AgentInCall) => functionsOf(allTools(agent));
/** Other values are refused. */
const betaTemperature = (temperature: number): number => Math.min(1.2, Math.max(0.6, temperature));

const gaFormat = (codec: Codec, audio: SessionParts['audio']): Json =>
  audio === 'pcm' ? { type: 'audio/pcm', rate: 24_000 } : { type: codec === 'PCMU' ? 'audio/pcmu' : 'audio/pcma' };

const betaFormat = (codec: Codec, audio: SessionParts['audio']): string =>
  audio === 'pcm' ? 'pcm16' : codec === 'PCMU' ? 'g711_ulaw' : 'g711_alaw';

/** As OpenAI speaks it since 2025 ("GA"), and the shape before that, which some servers still want. */
export const dialects: Readonly<Record<DialectName, Dialect>> = {
  ga: {
    session: ({ agent, codec, audio, turnDetection, transcription }) => ({
      type: 'realtime',
      output_modalities: ['audio'],
      instructions: instructionsOf(agent),
      audio: {
        input: {
          format: gaFormat(codec, audio),
          turn_detection: turnDetection,
          ...(transcription && { transcription }),
        },
        output: { format: gaFormat(codec, audio), ...(agent.voice !== null && { voice: agent.voice }) },
      },
      tools: functionsIn(agent),
    }),
    textSession: ({ instructions, tools }) => ({
      type: 'realtime',
      output_modalities: ['text'],
      instructions,
      tools: functionsOf(tools),
    }),
    turnDetection: (turnDetection) => ({
      type: 'realtime',
      audio: { input: { turn_detection: turnDetection } },
    }),
    assistantText: 'output_text',
  },
  beta: {
    session: ({ agent, codec, audio, turnDetection, transcription }) => ({
      modalities: ['audio', 'text'],
      instructions: instructionsOf(agent),
      ...(agent.voice !== null && { voice: agent.voice }),
      input_audio_format: betaFormat(codec, audio),
      output_audio_format: betaFormat(codec, audio),
      ...(transcription && { input_audio_transcription: transcription }),
      turn_detection: turnDetection,
      temperature: betaTemperature(agent.temperature),
      tools: functionsIn(agent),
    }),
    textSession: ({ instructions, temperature, tools }) => ({
      modalities: ['text'],
      instructions,
      turn_detection: null,
      temperature: betaTemperature(temperature),
      tools: functionsOf(tools),
    }),
    turnDetection: (turnDetection) => ({ turn_detection: turnDetection }),
    assistantText: 'text',
  },
};

/** The shape that a server wants, from the session that it shows first. */
export const dialectOf = (created: Json): DialectName =>
  typeof created['input_audio_format'] === 'string' ? 'beta' : 'ga';

/** The URL with the model, unless the URL names one. */
export function addressOf(url: string, model: string | null): string {
  const address = new URL(url);
  const isNamed = address.searchParams.has('model') || address.searchParams.has('deployment');
  if (!isNamed && model !== null) address.searchParams.set('model', model);
  return address.href;
}

/** What is asked for as transcription of the other side; undefined for none. */
export function transcriptionOf({ url, transcription_model: model }: SpeechSettings['realtime']): object | undefined {
  if (model === null) return undefined;
  if (model !== 'auto') return { model };
  return new URL(url).hostname === 'api.openai.com' ? { model: 'gpt-4o-mini-transcribe' } : {};
}
