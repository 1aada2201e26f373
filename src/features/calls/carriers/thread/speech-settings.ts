import { section } from '../../../../base/config/kinds.ts';
import { type Static, Type } from '../../../../base/typebox.ts';
import { speechEngines } from '../../../../talking/speech/engine.ts';
import type { MissingSetting } from '../driver.ts';

/** What speaks in calls (docs/telephony.md). */
export const speechSettings = section({
  engine: Type.Union([Type.Enum([...speechEngines]), Type.Null()], {
    default: null,
    description:
      'The engine that speaks in calls of the carrier sip: echo (greets and says back what it hears, to try a line).',
  }),
});

export type SpeechSettings = Static<typeof speechSettings>;

/** Settings that are needed for speech and have no value. */
export const missingSpeechSettings = ({ engine }: SpeechSettings): MissingSetting[] =>
  engine === null ? [['speech.engine', 'what speaks in the calls; echo needs nothing else']] : [];
