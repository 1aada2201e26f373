/** Runs in the thread for large bodies (thread.ts starts it, .build/package.ts bundles it). */
import { AppError } from '../../../base/errors.ts';
import { parentOf } from '../../../base/worker/parent.ts';
import { lowerPriority } from '../../../base/worker/priority.ts';
import { type BodySpec, type BodyValidator, createBodyValidator, type ValidatedBody } from '../body-validator.ts';
import type { LargeBodyProtocol, LargeBodyReply } from './protocol.ts';

const validators = new Map<string, BodyValidator>();

function validatorOf(spec: BodySpec): BodyValidator {
  const known = validators.get(spec.operationId) ?? createBodyValidator(spec);
  validators.set(spec.operationId, known);
  return known;
}

/** Leaves out the translations that the main thread does not need, because a body can have hundreds of thousands of fields. */
function withoutUnusedPaths(validated: ValidatedBody): ValidatedBody {
  const { callerPaths, rejected } = validated;
  const entries = [...callerPaths];
  if (rejected) {
    const topLevel = entries.filter(([path]) => rejected.presentFields.has(path));
    return { ...validated, callerPaths: new Map(topLevel) };
  }
  return entries.some(([path, callerPath]) => path !== callerPath)
    ? validated
    : { ...validated, callerPaths: new Map() };
}

function answer({ spec, bytes }: LargeBodyProtocol['request']): LargeBodyReply {
  try {
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return { validated: withoutUnusedPaths(validatorOf(spec)(body)) };
  } catch (error) {
    if (error instanceof AppError && error.details) return { refused: error.details };
    throw error;
  }
}

lowerPriority(5);
parentOf<LargeBodyProtocol>().serve({ answer });
