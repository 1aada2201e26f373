import type { SpeechEngine } from '../engine.ts';
import type { SpeechMetrics } from '../metrics.ts';
import type { SpeechSettings } from '../settings.ts';
import { openCascade } from './session.ts';

/** `speech.engine: cascade`: one service hears, one thinks, one speaks. */
export const createCascadeEngine = (settings: SpeechSettings, metrics: SpeechMetrics): SpeechEngine => ({
  open: (agent, events) => openCascade({ settings, metrics, agent, events }),
});
