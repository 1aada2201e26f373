import { ConfigSchema } from './schema.ts';

/** The parts of JSON Schema that kinds.ts and schema.ts make. */
export type Shape = {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'array' | 'object';
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly default?: unknown;
  readonly description?: string;
  readonly secret?: boolean;
};

/** One setting: a leaf of the schema. Lists are one setting each, whatever their entries hold. */
export type Setting = {
  readonly path: string;
  readonly shape: Shape;
  readonly description: string;
  readonly secret: boolean;
  /** It is text (a choice among words too), so `123` given by flag or variable is text. */
  readonly takesText: boolean;
  readonly nullable: boolean;
};

const isText = (shape: Shape): boolean => shape.type === 'string' || shape.enum !== undefined;

function settingAt(path: string, shape: Shape): Setting {
  const alternatives = shape.anyOf ?? [shape];
  return {
    path,
    shape,
    description: shape.description ?? '',
    secret: shape.secret === true,
    takesText: alternatives.some(isText),
    nullable: alternatives.some((alternative) => alternative.type === 'null'),
  };
}

const settings = new Map<string, Setting>();
const sections = new Set<string>();

function collect(path: string, shape: Shape): void {
  if (shape.properties === undefined) {
    settings.set(path, settingAt(path, shape));
    return;
  }
  if (path !== '') sections.add(path);
  for (const [name, child] of Object.entries(shape.properties)) collect(path === '' ? name : `${path}.${name}`, child);
}
collect('', ConfigSchema);

/** Every setting by its path, in the order of schema.ts. */
export const SETTINGS: ReadonlyMap<string, Setting> = settings;

/** The paths of all sections. */
export const SECTIONS: ReadonlySet<string> = sections;

/** Paths that a flag, a variable or a key may name: settings and, whole, sections. */
export const PATHS: readonly string[] = [...settings.keys(), ...sections];

/** `webhooks.max_in_flight` → `PARLEY_WEBHOOKS_MAX_IN_FLIGHT` (contract, section 3). */
export const variableOf = (path: string): string => `PARLEY_${path.toUpperCase().replaceAll('.', '_')}`;
