import { Ajv } from 'ajv';
import type { ErrorObject, SchemaValidateFunction, ValidateFunction } from 'ajv';
import { MASK } from '../redact.ts';
import { faultAt, describeOrigin } from './faults.ts';
import type { ConfigFault } from './faults.ts';
import { FORMATS } from './formats.ts';
import { didYouMean } from './hint.ts';
import { pathText } from './nodes.ts';
import type { Step } from './nodes.ts';
import type { SettingValue } from './read.ts';
import type { Setting, Shape } from './settings.ts';
import { describeShape, preview } from './words.ts';

// Skip Ajv's check of the schema itself (`meta`): it would compile the JSON Schema meta-schema at every start.
const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  useDefaults: true,
  strict: true,
  meta: false,
  validateSchema: false,
});
for (const [name, { test }] of Object.entries(FORMATS)) ajv.addFormat(name, test);
ajv.addVocabulary(['secret']);
ajv.addKeyword({ keyword: 'distinct', type: 'array', schemaType: 'array', validate: distinct });

/** Validates the keyword `distinct: ['voices.id']`: the values of each such field are unique in the whole list. */
function distinct(fields: readonly string[], list: readonly unknown[]): boolean {
  const errors = fields.flatMap((field) => {
    const duplicate = firstDuplicate(valuesOf(list, field.split('.')));
    return duplicate === undefined ? [] : [{ keyword: 'distinct', params: { field, duplicate } }];
  });
  // Ajv reads the errors of a custom keyword from a property of its function.
  (distinct as SchemaValidateFunction).errors = errors;
  return errors.length === 0;
}

/** The values of a field in all entries of a list; `voices.id` goes on into the list that each entry has as `voices`. */
function valuesOf(list: readonly unknown[], [name = '', ...rest]: readonly string[]): unknown[] {
  return list.flatMap((entry) => {
    const value = typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>)[name] : undefined;
    if (rest.length > 0) return Array.isArray(value) ? valuesOf(value, rest) : [];
    return value === undefined ? [] : [value];
  });
}

const firstDuplicate = (values: readonly unknown[]): unknown =>
  values.find((value, index) => values.indexOf(value) !== index);

const compiled = new WeakMap<Setting, ValidateFunction>();

/** Compiles on first use: most settings keep their default, which the tests validate, so a start need not. */
function validatorOf(setting: Setting): ValidateFunction {
  let validate = compiled.get(setting);
  if (validate === undefined) {
    // In strict mode, Ajv refuses a default at the root of a schema.
    const { default: _, ...schema } = setting.shape;
    validate = ajv.compile(schema);
    compiled.set(setting, validate);
  }
  return validate;
}

/** Validates a value against its setting and fills in the defaults of fields that list entries omit. */
export function checkValue(given: SettingValue): ConfigFault[] {
  const validate = validatorOf(given.setting);
  if (validate(given.value)) return [];
  const seen = new Set<string>();
  return (validate.errors ?? []).filter(isOutermost).flatMap((error) => {
    const fault = toFault(given, error);
    if (seen.has(fault.message)) return [];
    seen.add(fault.message);
    return [fault];
  });
}

/** Leaves out errors inside an `anyOf`; the error of the `anyOf` itself covers them. */
const isOutermost = (error: ErrorObject, _: number, all: readonly ErrorObject[]): boolean =>
  !all.some((other) => other.keyword === 'anyOf' && error.schemaPath.startsWith(`${other.schemaPath}/`));

function toFault(given: SettingValue, error: ErrorObject): ConfigFault {
  const steps = stepsOf(error.instancePath);
  const path = pathText([given.setting.path, ...steps]);
  const origin = given.originAt(steps);
  const shape = (error.parentSchema ?? {}) as Shape;
  switch (error.keyword) {
    case 'additionalProperties': {
      const name = String(error.params['additionalProperty']);
      const at = given.originAt([...steps, name]);
      const hint = didYouMean(name, Object.keys(shape.properties ?? {}));
      return faultAt(at, `${path}.${name}`, `There is no field ${name} in ${path} (${describeOrigin(at)})${hint}`);
    }
    case 'required': {
      const name = String(error.params['missingProperty']);
      return faultAt(origin, `${path}.${name}`, `${path} needs a ${name} (${describeOrigin(origin)}).`);
    }
    case 'distinct': {
      const { field, duplicate } = error.params;
      const message = `${path} must not have the same ${field} twice (given: ${preview(duplicate)}, ${describeOrigin(origin)}).`;
      return faultAt(origin, path, message);
    }
    default: {
      const found = given.setting.secret ? MASK : preview(error.data);
      const message = `${path} must be ${describeShape(shape)} (given: ${found}, ${describeOrigin(origin)})`;
      return faultAt(origin, path, message + quotingHint(given, shape, error.data));
    }
  }
}

/** Ends the sentence. Suggests quotes where the setting takes text but YAML read something else, such as a number in `from: 12`. */
function quotingHint({ origin }: SettingValue, shape: Shape, value: unknown): string {
  const takesText = (shape.anyOf ?? [shape]).some(({ type, format }) => type === 'string' && format === undefined);
  if (!takesText) return '.';
  const isQuotable = typeof value === 'number' || typeof value === 'boolean' || origin.kind !== 'file';
  return isQuotable && typeof value !== 'string' && value !== null ? '; put it in quotes to make it text.' : '.';
}

/** `/0/voices/1` → `[0, 'voices', 1]`. No field name has a character that JSON pointers escape. */
const stepsOf = (pointer: string): Step[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
