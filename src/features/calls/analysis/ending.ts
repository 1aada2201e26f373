import { messageOf } from '../../../base/errors.ts';
import { faultPoint } from '../../../base/fault-points.ts';
import { onCommit, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { enqueue, externalJob, type JobPool, nothingToWrite } from '../../../kernel/queue.ts';
import type { Call, CallOutcome } from '../call.ts';
import { analyzeCall } from '../kinds.ts';
import { endCall, findCall, keepEnding } from '../service.ts';
import type { Analysis } from './analysis.ts';
import { analysisModel, analyze } from './service.ts';

/**
 * Ends a call as `endCall` does; a completed one after its conversation was analyzed, if a model for that is configured. Until then the call
 * stays `in_progress`, for `analysis.timeout_ms` at most.
 */
export async function endAnalyzed(app: App, tx: Tx, call: Call, outcome: CallOutcome): Promise<void> {
  if (call.state === 'ended' || call.ending !== null) return;
  if (outcome.status !== 'completed' || call.hangupRequested || analysisModel(app) === null)
    return endCall(app, tx, call, outcome);
  await keepEnding(app, tx, call, outcome);
  await enqueue(app, tx, analyzeCall, {
    key: call.id,
    lane: `analysis:${call.orgId}`,
    dueAt: app.clock.now(),
    payload: { callId: call.id },
  });
  onCommit(tx, () => faultPoint('call-end.unanalyzed'));
}

async function finish(app: App, tx: Tx, callId: string, analysis: Analysis | null): Promise<void> {
  const call = await findCall(tx, callId);
  if (!call || call.state === 'ended' || call.ending === null) return; // it was hung up meanwhile
  await endCall(app, tx, call, { ...call.ending, ...analysis });
}

/** As many as calls may end in the same second: an analysis only waits for the network, and a call must not wait for its turn. */
const analyses: JobPool = { name: 'analyses', maxRunning: 512 };

/** Running it twice asks the model twice; the call ends once. */
export const analysisJob = externalJob(analyzeCall, {
  pool: analyses,
  laneConcurrency: analyses.maxRunning,
  leaseMs: 3_600_000,
  retryDelaysMs: [1000, 5000, 30_000],
  async run(app, { payload: { callId } }) {
    const call = await findCall(app.db, callId);
    if (!call || call.state === 'ended' || call.ending === null) return nothingToWrite;
    const { timeout_ms: timeoutMs } = app.config.analysis;
    // After a restart only the rest of the time is left.
    const leftMs = Math.min(timeoutMs, (call.ending.endedAt ?? 0) + timeoutMs - app.clock.now());
    const analysis = leftMs > 0 ? await analyzed(app, call, leftMs) : null;
    faultPoint('analysis.unrecorded');
    return { write: (tx) => finish(app, tx, callId, analysis) };
  },
  exhausted: (app, tx, { payload }) => finish(app, tx, payload.callId, null),
});

async function analyzed(app: App, call: Call, leftMs: number): Promise<Analysis | null> {
  try {
    return await analyze(app, call, leftMs);
  } catch (error) {
    app.log.warn({ callId: call.id, error: messageOf(error) }, 'a call ends without a summary');
    return null;
  }
}
