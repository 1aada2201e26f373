/** Where a value comes from. `line` counts from 1. `name` is a variable (`PARLEY_…`, `PARLEY_…_FILE`) or a flag (`--port`). */
export type Origin =
  | { readonly kind: 'default' }
  | { readonly kind: 'file'; readonly path: string; readonly line: number }
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'flag'; readonly name: string };

/** One error in the configuration. `message` is a sentence that names the setting and its origin. */
export type ConfigFault = {
  /** Path of the setting (`http.port`, `catalog.models[0].price`), name of an unknown variable, or "" for the whole file. */
  readonly setting: string;
  readonly message: string;
  readonly line?: number;
  readonly origin: Origin;
};

/** Every fault of a configuration. Not an AppError, because it stops a command before there is an app. */
export class ConfigError extends Error {
  readonly faults: readonly ConfigFault[];
  /** EX_CONFIG of sysexits.h (docs/api/process.md, "Commands"). */
  readonly exitCode = 78;

  constructor(faults: readonly ConfigFault[]) {
    super(['The configuration cannot be used:', ...faults.map((fault) => `  ${fault.message}`)].join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

export function faultAt(origin: Origin, setting: string, message: string): ConfigFault {
  return { setting, message, origin, ...(origin.kind === 'file' ? { line: origin.line } : {}) };
}

/** An origin as part of a sentence. */
export function describeOrigin(origin: Origin): string {
  if (origin.kind === 'file') return `${origin.path} line ${origin.line}`;
  return origin.kind === 'default' ? 'default' : origin.name;
}
