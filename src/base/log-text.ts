/** A line of the log as pino writes it: one JSON object. */
type Entry = { time: string; level: string; msg?: string; err?: { stack?: string; message?: string } };

/** What could end a line, steer a terminal or turn the reading direction: what is logged may come from anywhere. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const escaped = (text: string): string =>
  text.replaceAll(unprintable, (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`);

const shown = (value: unknown): string =>
  typeof value === 'string' && /^[\w./:@+-]+$/.test(value) ? value : escaped(JSON.stringify(value));

/**
 * A log line for people: time, level, message, the other fields as `name=value`; a stack below it, indented. By hand, because
 * pino-pretty brings thirteen packages for it.
 */
export function textOf(line: string): string {
  const { time, level, msg = '', err, ...fields } = JSON.parse(line) as Entry;
  const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${shown(value)}`);
  const trace = (err?.stack ?? err?.message ?? '').split('\n').filter((one) => one !== '');
  const below = trace.map((one) => `\n    ${escaped(one.trim())}`);
  return `${time} ${level.toUpperCase().padEnd(5)} ${escaped(msg)}${rest.join('')}${below.join('')}\n`;
}
