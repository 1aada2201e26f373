import { monotonicMs } from '../../../../base/clock.ts';
import { messageOf } from '../../../../base/errors.ts';
import type { App } from '../../../../kernel/app.ts';
import type { CarrierHealth } from '../driver.ts';
import { knowsAnswer } from './answer.ts';
import { sendOnce } from './client.ts';
import { statusMessage } from './messages.ts';
import { type HttpSettings, voiceRuntimeOf } from './settings.ts';

/** Time-out of the request, in real milliseconds; a shorter `carrier.http.timeout_ms` wins. */
const maxHealthMs = 10_000;

/** Asks the voice runtime whether it knows a call that does not exist: every runtime must answer that, and it changes nothing. */
export async function healthOf(app: App, settings: HttpSettings): Promise<CarrierHealth> {
  const runtime = voiceRuntimeOf(settings);
  const { host } = new URL(runtime.url);
  const startedAt = monotonicMs();
  const durationMs = (): number => Math.round(monotonicMs() - startedAt);
  const patience = { ...runtime, timeoutMs: Math.min(runtime.timeoutMs, maxHealthMs) };
  try {
    knowsAnswer(await sendOnce(app, patience, statusMessage(runtime.url, app.ids.make())));
    return { status: 'ok', message: `the voice runtime at ${host} answered`, duration_ms: durationMs() };
  } catch (error) {
    return { status: 'fail', message: messageOf(error), duration_ms: durationMs() };
  }
}
