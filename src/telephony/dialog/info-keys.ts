/** Keys in an INFO request (`application/dtmf-relay`, `application/dtmf`): as `Signal=5`, or the key alone. */
export function pressedKeys(contentType: string, body: string): string[] {
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  const text =
    type === 'application/dtmf-relay'
      ? (/^\s*Signal\s*=\s*(\S+)/im.exec(body)?.[1] ?? '')
      : type === 'application/dtmf'
        ? body.trim()
        : '';
  const key = named[text] ?? text.toUpperCase();
  return /^[0-9*#A-D]$/.test(key) ? [key] : [];
}

/** Some phones number the two special keys. */
const named: Readonly<Record<string, string>> = { '10': '*', '11': '#' };
