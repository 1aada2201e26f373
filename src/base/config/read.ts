import { isCollection, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Document, Node, Scalar, YAMLError, YAMLMap } from 'yaml';
import { faultAt, describeOrigin } from './faults.ts';
import type { ConfigFault, Origin } from './faults.ts';
import { didYouMean } from './hint.ts';
import { keyOf, nodeAt, pathText, resolve, stepsToKey, toValue } from './nodes.ts';
import type { Step } from './nodes.ts';
import type { Setting, SettingsTable } from './settings.ts';

/** A setting with its value from one source, not validated yet. */
export type SettingValue = {
  readonly setting: Setting;
  readonly value: unknown;
  readonly origin: Origin;
  /** The origin of a part of the value: in a file, a list entry or field has a line of its own. */
  readonly originAt: (steps: readonly Step[]) => Origin;
};

export type ParsedSource = { readonly values: readonly SettingValue[]; readonly faults: readonly ConfigFault[] };

/** A YAML text that is being read. `lenient` (flags, variables): a plain scalar stays text where the setting is text. */
type ParseState = {
  readonly table: SettingsTable;
  readonly doc: Document;
  readonly lenient: boolean;
  readonly originOf: (node: unknown) => Origin;
  readonly values: SettingValue[];
  readonly faults: ConfigFault[];
};

const YAML_OPTIONS = {
  version: '1.2',
  schema: 'core',
  strict: true,
  uniqueKeys: true,
  // Pretty errors quote the faulty line, which may hold a secret.
  prettyErrors: false,
} as const;

/** Reads a configuration file: one YAML 1.2 document (core schema) with a map of sections. */
export function readConfigFile(table: SettingsTable, file: { path: string; text: string }): ParsedSource {
  const lineCounter = new LineCounter();
  const doc = parseDocument(file.text, { ...YAML_OPTIONS, lineCounter });
  const lineAt = (offset: number): Origin => ({
    kind: 'file',
    path: file.path,
    line: lineCounter.linePos(offset).line || 1,
  });
  const originOf = (node: unknown): Origin => lineAt((node as Node | null)?.range?.[0] ?? 0);
  const source: ParseState = { table, doc, lenient: false, originOf, values: [], faults: [] };
  if (syntaxFaults(source, '', lineAt)) walk(source, '', doc.contents, doc.contents);
  return source;
}

/** Reads the value of a flag or variable: that of a setting, or a map for a whole section. */
export function readValue(table: SettingsTable, path: string, text: string, origin: Origin): ParsedSource {
  const doc = parseDocument(text, YAML_OPTIONS);
  const source: ParseState = { table, doc, lenient: true, originOf: () => origin, values: [], faults: [] };
  const setting = table.settings.get(path);
  if (setting?.takesText === true) {
    source.values.push({ setting, value: textValue(setting, text, doc), origin, originAt: () => origin });
  } else if (syntaxFaults(source, path, () => origin)) {
    walk(source, path, doc.contents, doc.contents);
  }
  return source;
}

/**
 * The value of a text setting is the text as written, so that `123`, `yes` and passwords such as `a #b` or `%x` arrive unchanged. Only
 * quotes are removed, `null` or empty text is null where the setting may be null, and a list or map remains one, which is a fault.
 */
function textValue(setting: Setting, text: string, doc: Document): unknown {
  const written = text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, ''); // YAML's white space only; other space characters are text
  const node = doc.contents;
  const isValid = doc.errors.length === 0;
  if (isValid && isCollection(node)) return isMap(node) ? {} : []; // the fault only says which of the two it is
  if (isValid && isQuoted(node)) return node.value;
  const isNull = written === '' || (isScalar(node) && node.value === null && node.source === written);
  return isValid && setting.nullable && isNull ? null : written;
}

const isQuoted = (node: unknown): node is Scalar =>
  isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE');

/** Adds the faults of the YAML itself; returns false when they make the rest unreadable. */
function syntaxFaults(source: ParseState, path: string, originAt: (offset: number) => Origin): boolean {
  let usable = true;
  for (const error of [...source.doc.errors, ...source.doc.warnings]) {
    const origin = originAt(error.pos[0]);
    if (error.code === 'DUPLICATE_KEY') {
      const setting = pathText([path, ...stepsToKey(source.doc, error.pos[0])].filter((step) => step !== ''));
      source.faults.push(faultAt(origin, setting, `${setting || 'A name'} is set twice (${describeOrigin(origin)}).`));
      continue;
    }
    usable &&= error.code === 'TAG_RESOLVE_FAILED';
    const subject = path === '' ? 'The file' : path;
    source.faults.push(
      faultAt(origin, path, `${subject} is not valid YAML: ${syntaxWords(error)} (${describeOrigin(origin)}).`),
    );
  }
  return usable;
}

/** The parser's message up to a colon. What follows is text from the file, which may be part of a secret. */
function syntaxWords(error: YAMLError): string {
  if (error.code === 'TAG_RESOLVE_FAILED') return 'text that starts with ! must be in quotes';
  return error.message.replace(/:.*/s, '');
}

/** Walks the YAML along the schema down to the settings. `named` is the node whose line is reported: the key. */
function walk(source: ParseState, path: string, node: unknown, named: unknown): void {
  const setting = source.table.settings.get(path);
  if (setting !== undefined) {
    addValue(source, setting, node, named);
    return;
  }
  const content = resolve(node, source.doc);
  if (content === null || (isScalar(content) && content.value === null)) return;
  if (!isMap(content)) {
    const origin = source.originOf(named);
    const subject = path === '' ? 'The configuration' : path;
    // Do not show the value: it may be a secret that was meant for a setting of the section.
    const found = content === undefined ? 'a missing anchor' : isSeq(content) ? 'a list' : 'a single value';
    const message = `${subject} must be a map of settings (given: ${found}, ${describeOrigin(origin)}).`;
    source.faults.push(faultAt(origin, path, message));
    return;
  }
  walkMap(source, path, content);
}

function walkMap(source: ParseState, path: string, map: YAMLMap): void {
  const { settings, sections } = source.table;
  for (const pair of map.items) {
    const key = keyOf(pair);
    const child = path === '' ? key : `${path}.${key}`;
    // Refuse `http.port: 1` as one key: a second way to write a setting would bypass the check for duplicates.
    if (!key.includes('.') && (settings.has(child) || sections.has(child))) {
      walk(source, child, pair.value, pair.key);
      continue;
    }
    source.faults.push(unknownSetting(source.table, child, source.originOf(pair.key), key.includes('.')));
  }
}

/** The fault for an unknown setting; suggests the setting that was probably meant. */
export function unknownSetting(
  { settings, paths }: SettingsTable,
  path: string,
  origin: Origin,
  dotted = false,
): ConfigFault {
  const list = [...settings.keys()].find((known) => path.startsWith(`${known}.`) || path.startsWith(`${known}[`));
  const hint =
    list !== undefined
      ? `; ${list} is one setting, so set all of it at once.`
      : dotted
        ? '; nest sections by indentation, not by dots.'
        : didYouMean(path, paths);
  return faultAt(origin, path, `There is no setting ${path || '""'} (${describeOrigin(origin)})${hint}`);
}

function addValue(source: ParseState, setting: Setting, node: unknown, named: unknown): void {
  const origin = source.originOf(named);
  const originAt = (steps: readonly Step[]): Origin => source.originOf(nodeAt(source.doc, node, steps) ?? named);
  try {
    source.values.push({ setting, value: settingValue(source, setting, node), origin, originAt });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    const message = `${setting.path} must not refer to an anchor that is missing or expands too far (${describeOrigin(origin)}).`;
    source.faults.push(faultAt(origin, setting.path, message));
  }
}

function settingValue({ lenient, doc }: ParseState, setting: Setting, node: unknown): unknown {
  const asWritten = lenient && setting.takesText && isScalar(node) && node.type === 'PLAIN';
  if (asWritten && !(setting.nullable && node.value === null)) return node.source;
  return toValue(node, doc);
}
