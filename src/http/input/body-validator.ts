import { type AppError, type Fault, invalid } from '../../base/errors.ts';
import type { JsonLimits } from '../../base/json-scan.ts';
import type { Route } from '../../kernel/route.ts';
import type { TSchema } from '../../kernel/schema.ts';
import { acceptedBodyTypes } from './bodies.ts';
import { type CallerPaths, callerPathOf } from './field-cases.ts';
import { jsonLimitsOf, parseBody } from './parse-body.ts';
import { createValidator, type Validated } from './schema-validator.ts';
import { textFaults } from './storable-text.ts';

/** The data needed to validate an operation's body. Plain data, because a worker thread may do it. */
export type BodySpec = {
  operationId: string;
  schema: TSchema;
  limits: JsonLimits;
  acceptsBothCases: boolean;
  isOptional: boolean;
  missing: string;
};

/** `callerPaths` translates the schema's spelling of fields into the caller's (see field-cases.ts). */
export type ValidatedBody = { value: unknown; callerPaths: CallerPaths; rejected?: RejectedBody };

/** A body with faults. Its valid fields can still be checked for further faults (`additionalFaults` of an operation). */
export type RejectedBody = {
  /** The faults, with field names in the caller's spelling. */
  faults: Fault[];
  /** The top-level fields without faults. A list with faulty entries is included without those entries. */
  validFields: Record<string, unknown>;
  /** For each list in `validFields` that lacks entries, the positions of its entries in the body. */
  sentIndexes: ReadonlyMap<string, readonly number[]>;
  presentFields: ReadonlySet<string>;
};

/** Faults listed in one answer; without a limit, a hostile body could have as many faults as bytes. */
export const maxFaults = 1000;

export function bodySpecOf(route: Route): BodySpec | undefined {
  if (!route.body) return undefined;
  return {
    operationId: route.operationId,
    schema: route.body,
    limits: jsonLimitsOf(route.bodyLimit ?? 'json'),
    acceptsBothCases: route.acceptsBothCases ?? false,
    isOptional: route.bodyOptional ?? false,
    missing: route.formFile ? `A body is required: ${acceptedBodyTypes(true)}.` : 'A JSON body is required.',
  };
}

/** @throws invalid for JSON that is malformed or exceeds a limit: then nothing else is named */
export type BodyValidator = (bytes: Buffer | undefined) => ValidatedBody;

export function createBodyValidator({
  schema,
  limits,
  acceptsBothCases,
  isOptional,
  missing,
}: BodySpec): BodyValidator {
  const validate = createValidator(schema, { noun: 'field', bothCases: acceptsBothCases });
  const known = (schema as { properties?: object }).properties ?? {};
  return (bytes) => {
    const sent = bytes && parseBody(bytes, limits);
    const body = sent === undefined && isOptional ? {} : sent;
    if (body === undefined) return rejectedWhole(missing);
    if (!isObject(body)) return rejectedWhole('The body must be a JSON object.');
    const validated = validate(body);
    const faults = [...validated.faults, ...textFaults(validated.value)];
    const { value, callerPaths } = validated;
    if (faults.length === 0) return { value, callerPaths };
    return { value: undefined, callerPaths, rejected: rejectedBody({ ...validated, faults }, known) };
  };
}

const rejectedWhole = (message: string): ValidatedBody => ({
  value: undefined,
  callerPaths: new Map(),
  rejected: {
    faults: [{ path: '', message }],
    validFields: {},
    sentIndexes: new Map(),
    presentFields: new Set(),
  },
});

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

function rejectedBody({ value, callerPaths, faults, hasUnseenFaults }: Validated, known: object): RejectedBody {
  const validFields: Record<string, unknown> = {};
  const sentIndexes = new Map<string, number[]>();
  const faultyByField = Map.groupBy(faults, ({ path }) => path.split(/[.[]/, 1)[0]!);
  const fields = Object.entries(value as object).filter(([name]) => Object.hasOwn(known, name));
  for (const [name, item] of fields as Array<[string, unknown]>) {
    const faulty = faultyByField.get(name);
    if (hasUnseenFaults) continue;
    if (!faulty) validFields[name] = item;
    else if (Array.isArray(item) && faulty.every(({ path }) => path.startsWith(`${name}[`))) {
      const indexes = new Set(faulty.map(({ path }) => Number.parseInt(path.slice(name.length + 1), 10)));
      const kept = [...item.keys()].filter((index) => !indexes.has(index));
      validFields[name] = kept.map((index) => item[index] as unknown);
      sentIndexes.set(name, kept);
    }
  }
  return {
    faults: faults.slice(0, maxFaults).map((fault) => ({ ...fault, path: callerPathOf(fault.path, callerPaths) })),
    validFields,
    sentIndexes,
    presentFields: new Set(fields.map(([name]) => name)),
  };
}

/** Turns the position of an entry in `validFields` into its position in the body. */
export function withSentIndex(fault: Fault, { sentIndexes }: RejectedBody): Fault {
  const [, name = '', position, rest] = /^([^.[]+)\[(\d+)\](.*)$/s.exec(fault.path) ?? [];
  const index = sentIndexes.get(name)?.[Number(position)];
  return index === undefined ? fault : { ...fault, path: `${name}[${index}]${rest}` };
}

export const invalidBody = (faults: readonly Fault[]): AppError => invalid(faults.slice(0, maxFaults));
