/** A log line as pino writes it: one JSON object. */
type LogLine = { time: string; level: string; msg?: string; err?: { stack?: string; message?: string } };

/** Characters that could end a line, control a terminal or reverse the reading direction; logged text may come from attackers. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const escaped = (text: string): string =>
  text.replaceAll(unprintable, (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`);

const formatValue = (value: unknown): string =>
  typeof value === 'string' && /^[\w./:@+-]+$/.test(value) ? value : escaped(JSON.stringify(value));

/**
 * Formats a log line for people: time, level, message, the other fields as `name=value`, and an indented stack below. By hand, because
 * pino-pretty brings thirteen packages.
 */
export function formatLogLine(line: string): string {
  const { time, level, msg = '', err, ...fields } = JSON.parse(line) as LogLine;
  const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${formatValue(value)}`);
  const trace = (err?.stack ?? err?.message ?? '').split('\n').filter((one) => one !== '');
  const below = trace.map((one) => `\n    ${escaped(one.trim())}`);
  return `${time} ${level.toUpperCase().padEnd(5)} ${escaped(msg)}${rest.join('')}${below.join('')}\n`;
}
