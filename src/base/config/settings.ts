/** The part of JSON Schema that schema.ts and kinds.ts use. */
export type Shape = {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'array' | 'object';
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
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

/** One setting: a leaf of the schema. A list is one setting, whatever its entries contain. */
export type Setting = {
  readonly path: string;
  readonly shape: Shape;
  readonly description: string;
  readonly secret: boolean;
  /** Its value may be text (a choice counts as text), so `123` from a flag or variable stays text. */
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

/** Every setting of a schema: what a file, variables, flags and `config print` may name. */
export type SettingsTable = {
  /** Every setting by its path, in the order of the schema. */
  readonly settings: ReadonlyMap<string, Setting>;
  /** The paths of all sections. */
  readonly sections: ReadonlySet<string>;
  /** Paths that a flag, a variable or a key may name: those of settings, and those of sections, which set the whole section. */
  readonly paths: readonly string[];
  /** The path that each environment variable sets. */
  readonly pathOfVariable: ReadonlyMap<string, string>;
};

export function settingsTable(schema: Shape): SettingsTable {
  const settings = new Map<string, Setting>();
  const sections = new Set<string>();
  const collect = (path: string, shape: Shape): void => {
    if (shape.properties === undefined) {
      settings.set(path, settingAt(path, shape));
      return;
    }
    if (path !== '') sections.add(path);
    for (const [name, child] of Object.entries(shape.properties))
      collect(path === '' ? name : `${path}.${name}`, child);
  };
  collect('', schema);
  const paths = [...settings.keys(), ...sections];
  return { settings, sections, paths, pathOfVariable: new Map(paths.map((path) => [variableOf(path), path])) };
}

/** `webhooks.max_in_flight` → `PARLEY_WEBHOOKS_MAX_IN_FLIGHT`. */
export const variableOf = (path: string): string => `PARLEY_${path.toUpperCase().replaceAll('.', '_')}`;

/**
 * Adds settings or whole sections to a schema, each under its path (`carrier.http`). A setting that the schema already has is replaced.
 * @throws when the schema already has a section there: two parts of the program would own the same settings
 */
export const withSettings = (schema: Shape, additions: ReadonlyArray<readonly [path: string, Shape]>): Shape =>
  additions.reduce((extended, [path, shape]) => addAt(extended, path.split('.'), path, shape), schema);

function addAt(parent: Shape, [name = '', ...rest]: readonly string[], path: string, shape: Shape): Shape {
  const present = parent.properties?.[name];
  if (rest.length === 0 && present?.properties !== undefined) throw new Error(`the settings ${path} are defined twice`);
  const child = rest.length === 0 ? shape : addAt(present ?? { type: 'object' }, rest, path, shape);
  return { ...parent, properties: { ...parent.properties, [name]: child } };
}

/** The value of a setting, or the values of a section, in a loaded configuration. */
export const valueAt = (config: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => (value as Record<string, unknown>)[name], config);

/** The default of a setting, or the defaults of all settings of a section, nested as in YAML. */
export const defaultsOf = ({ properties, default: fallback }: Shape): unknown =>
  properties === undefined
    ? fallback
    : Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, defaultsOf(child)]));
