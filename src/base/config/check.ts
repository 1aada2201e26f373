import { Ajv } from 'ajv';
import type { ErrorObject, SchemaValidateFunction, ValidateFunction } from 'ajv';
import { faultAt, describeOrigin } from './faults.ts';
import type { ConfigFault } from './faults.ts';
import { FORMATS } from './formats.ts';
import { didYouMean } from './hint.ts';
import { pathText } from './nodes.ts';
import type { Step } from './nodes.ts';
import type { SettingValue } from './read.ts';
import type { Setting, Shape } from './settings.ts';
import { describeShape, MASK, preview } from './words.ts';

// The schema is TypeBox's and needs no check: Ajv would compile JSON Schema's own for it, at every start.
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

/** The keyword `distinct: ['voices.id']`: no value of such a field stands twice in the list. */
function distinct(fields: readonly string[], list: readonly unknown[]): boolean {
  const errors = fields.flatMap((field) => {
    const repeated = firstRepeated(valuesOf(list, field.split('.')));
    return repeated === undefined ? [] : [{ keyword: 'distinct', params: { field, repeated } }];
  });
  // Ajv takes the errors of a keyword of one's own from its function.
  (distinct as SchemaValidateFunction).errors = errors;
  return errors.length === 0;
}

/** The values of a field of a list's entries, or of a field of the entries of a list in them (`voices.id`). */
function valuesOf(list: readonly unknown[], [name = '', ...rest]: readonly string[]): unknown[] {
  return list.flatMap((entry) => {
    const value = typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>)[name] : undefined;
    if (rest.length > 0) return Array.isArray(value) ? valuesOf(value, rest) : [];
    return value === undefined ? [] : [value];
  });
}

const firstRepeated = (values: readonly unknown[]): unknown =>
  values.find((value, index) => values.indexOf(value) !== index);

const compiled = new WeakMap<Setting, ValidateFunction>();

/** Compiled when first needed: most settings keep their default, which tests check and a start need not. */
function validatorOf(setting: Setting): ValidateFunction {
  let validate = compiled.get(setting);
  if (validate === undefined) {
    // Ajv, strict, refuses a default that stands at the root of a schema.
    const { default: _, ...schema } = setting.shape;
    validate = ajv.compile(schema);
    compiled.set(setting, validate);
  }
  return validate;
}

/** Checks one given value against its setting and fills in what entries of a list left out. No faults: it may be used. */
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

/** What failed inside an `anyOf` is said by the error of the `anyOf` itself. */
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
      const { field, repeated } = error.params;
      const message = `${path} must not have the same ${field} twice (given: ${preview(repeated)}, ${describeOrigin(origin)}).`;
      return faultAt(origin, path, message);
    }
    default: {
      const found = given.setting.secret ? MASK : preview(error.data);
      const message = `${path} must be ${describeShape(shape)} (given: ${found}, ${describeOrigin(origin)})`;
      return faultAt(origin, path, message + advice(given, shape, error.data));
    }
  }
}

/** A number or true/false where text is due: YAML reads `from: 12` as a number. */
function advice({ origin }: SettingValue, shape: Shape, value: unknown): string {
  const wantsText = (shape.anyOf ?? [shape]).some(({ type, format }) => type === 'string' && format === undefined);
  if (!wantsText) return '.';
  const quotable = typeof value === 'number' || typeof value === 'boolean' || origin.kind !== 'file';
  return quotable && typeof value !== 'string' && value !== null ? '; in quotes it is text.' : '.';
}

/** `/0/voices/1` → `[0, 'voices', 1]`. Names of known fields hold no character that JSON pointers escape. */
const stepsOf = (pointer: string): Step[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
