import type { SpeechEngine } from '../engine.ts';
import type { SpeechMetrics } from '../metrics.ts';
import type { SpeechSettings } from '../settings.ts';
import { openRealtime, type RealtimeTimes } from './session.ts';

/** `speech.engine: realtime`: one service that hears, thinks and speaks. `times` are changed by tests. */
export const createRealtimeEngine = (
  settings: SpeechSettings,
  metrics: SpeechMetrics,
  times: Partial<RealtimeTimes> = {},
): SpeechEngine => ({
  open: (agent, events) => openRealtime({ settings, metrics, agent, events, times }),
});
