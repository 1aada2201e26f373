import { nextMacrotask } from '../../../base/clock.ts';
import { invalid } from '../../../base/errors.ts';
import { createSlots } from '../../../base/fair/slots.ts';
import { JsonObject } from '../../../base/json.ts';
import type { WorkerModule } from '../../../base/worker/module.ts';
import { restarting } from '../../../base/worker/restarting.ts';
import { startThread } from '../../../base/worker/thread.ts';
import type { App } from '../../../kernel/app.ts';
import { appLocal } from '../../../kernel/node.ts';
import type { BodySpec, ValidatedBody } from '../body-validator.ts';
import { type LargeBodyProtocol, sliceEntries } from './protocol.ts';

/** Smaller bodies take the main thread up to 10 ms, if they hold thousands of short values. */
export const minLargeBytes = 65_536;

export type LargeBodies = {
  /** @throws invalid for JSON that is malformed or exceeds a limit */
  validate(spec: BodySpec, bytes: Buffer, owner: string): Promise<ValidatedBody>;
  close(): Promise<void>;
};

const module: WorkerModule = { asset: 'large-bodies.cjs', url: () => new URL('worker.ts', import.meta.url) };

/** Enough for 16 MiB of JSON with 500,000 values; what is not used any more is collected before it grows further. */
const resourceLimits = { maxOldGenerationSizeMb: 112, maxYoungGenerationSizeMb: 4 };

/** Parses and validates large bodies on one thread, started with the first of them. Organizations take turns. */
export const largeBodiesOf: (app: App) => LargeBodies = appLocal(createLargeBodies);

function createLargeBodies(): LargeBodies {
  const slots = createSlots({ max: 1 });
  const thread = restarting<LargeBodyProtocol>(() =>
    Promise.resolve(startThread(module, { name: 'large bodies', data: undefined, resourceLimits })),
  );
  /** Takes the body in slices, each in a turn of its own. The slot keeps other bodies away from the thread meanwhile. */
  async function received(request: { spec: BodySpec; bytes: Buffer }): Promise<ValidatedBody> {
    const reply = await thread.request(request, [request.bytes.buffer as ArrayBuffer]);
    if ('refused' in reply) throw invalid(reply.refused);
    if (!('validated' in reply)) throw new Error('the thread answered a body with a slice');
    const value = withObjects(reply.validated.value);
    for (const [list, length] of reply.lists) {
      const entries: unknown[] = [];
      for (let from = 0; from < length; from += sliceEntries) {
        const slice = await thread.request({ list, from, to: from + sliceEntries });
        if (!('entries' in slice)) throw new Error('the thread answered a slice with a body');
        entries.push(...withObjects(slice.entries));
        await nextMacrotask();
      }
      (value as Record<string, unknown>)[list] = entries;
    }
    return { ...reply.validated, value };
  }

  return {
    async validate(spec, bytes, owner) {
      const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : Buffer.from(new Uint8Array(bytes).buffer);
      const validated = await slots.run(owner, () => received({ spec, bytes: own }));
      return {
        ...validated,
        ...(validated.rejected
          ? { rejected: { ...validated.rejected, validFields: withObjects(validated.rejected.validFields) } }
          : {}),
      };
    },
    close: () => thread.end(),
  };
}

/** A thread receives objects without their class. Under `metadata` a body has JsonObjects, or no objects at all. */
function withObjects<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value;
  const record = value as Record<string, unknown>;
  for (const key of Object.keys(record)) {
    const item = record[key];
    if (typeof item !== 'object' || item === null) continue;
    if (key === 'metadata' && 'text' in item) record[key] = new JsonObject(String(item.text));
    else withObjects(item);
  }
  return value;
}
