import { defaultRealtimeUrl, type SpeechSettings } from '../../../../talking/speech/settings.ts';
import type { EngineName } from '../../../../talking/speech/engine.ts';
import type { MissingSetting } from '../driver.ts';

const needed: Readonly<Record<'realtime' | 'cascade', (settings: SpeechSettings) => MissingSetting[]>> = {
  realtime: ({ realtime: { url, api_key: key } }) =>
    url === defaultRealtimeUrl && key === null
      ? [['speech.realtime.api_key', 'the API key for speech.realtime.url, whose default is OpenAI']]
      : [],
  cascade: ({ stt, llm, tts }) => [
    ...(stt.url === null ? [['speech.stt.url', 'the service that writes down what is heard'] as const] : []),
    ...(llm.url === null ? [['speech.llm.url', 'the service that answers'] as const] : []),
    ...(tts.url === null ? [['speech.tts.url', 'the service that speaks'] as const] : []),
  ],
};

type Models = ReadonlyArray<{ speech?: EngineName | undefined }>;

/** Settings that are needed for speech, also by models that name an engine of their own, and have no value. */
export function missingSpeechSettings(settings: SpeechSettings, models: Models): MissingSetting[] {
  const { engine } = settings;
  if (engine === null) return [['speech.engine', 'what speaks in the calls; echo needs nothing else']];
  const engines = new Set([engine, ...models.flatMap(({ speech }) => speech ?? [])]);
  return [...engines].flatMap((each) => (each === 'echo' ? [] : needed[each](settings)));
}
