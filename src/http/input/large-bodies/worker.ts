/** Runs in the thread for large bodies (thread.ts starts it, .build/package.ts bundles it). */
import { AppError } from '../../../base/errors.ts';
import { parentOf } from '../../../base/worker/parent.ts';
import { lowerPriority } from '../../../base/worker/priority.ts';
import { type BodySpec, type BodyValidator, createBodyValidator, type ValidatedBody } from '../body-validator.ts';
import { type LargeBodyProtocol, type LargeBodyReply, sliceEntries, type SliceRequest } from './protocol.ts';

const validators = new Map<string, BodyValidator>();

function validatorOf(spec: BodySpec): BodyValidator {
  const known = validators.get(spec.operationId) ?? createBodyValidator(spec);
  validators.set(spec.operationId, known);
  return known;
}

/** With more, only those of the top level are kept: services find faults there, the schema has found those further down. */
const maxPaths = 5000;

/** Leaves out the translations that the main thread does not need, because a body can have hundreds of thousands of fields. */
function withoutUnusedPaths(validated: ValidatedBody): ValidatedBody {
  const { callerPaths, rejected } = validated;
  const entries = [...callerPaths];
  if (rejected || entries.length > maxPaths) {
    const topLevel = entries.filter(([path]) => !/[.[]/.test(path));
    return { ...validated, callerPaths: new Map(topLevel) };
  }
  return entries.some(([path, callerPath]) => path !== callerPath)
    ? validated
    : { ...validated, callerPaths: new Map() };
}

/** The long lists of the body that was validated last, by field. */
let lists = new Map<string, unknown[]>();

/** Keeps the long lists of a valid body here, and empties them in the answer. */
function withoutLongLists(value: unknown): unknown {
  lists = new Map();
  if (value === null || typeof value !== 'object') return value;
  const long = Object.entries(value).filter(([, list]) => Array.isArray(list) && list.length > sliceEntries);
  if (long.length === 0) return value;
  lists = new Map(long as Array<[string, unknown[]]>);
  return { ...value, ...Object.fromEntries(long.map(([name]) => [name, []])) };
}

function replyTo(spec: BodySpec, bytes: Uint8Array): LargeBodyReply {
  try {
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const result = withoutUnusedPaths(validatorOf(spec)(body));
    const value = withoutLongLists(result.value);
    return { validated: { ...result, value }, lists: new Map([...lists].map(([name, list]) => [name, list.length])) };
  } catch (error) {
    if (error instanceof AppError && error.details) return { refused: error.details };
    throw error;
  }
}

function slice({ list, from, to }: SliceRequest): { entries: unknown[] } {
  const entries = lists.get(list);
  if (!entries) throw new Error(`the thread has no list ${list} of a body`);
  if (to >= entries.length) lists.delete(list);
  return { entries: entries.slice(from, to) };
}

const answer = (request: LargeBodyProtocol['request']): LargeBodyProtocol['reply'] =>
  'spec' in request ? replyTo(request.spec, request.bytes) : slice(request);

lowerPriority(5);
parentOf<LargeBodyProtocol>().serve({ answer });
