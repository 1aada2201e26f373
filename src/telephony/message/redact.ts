/** A message as it may stand in a log: without the answers to digest challenges, and without the keys of encrypted sound. */
export const redact = (message: string): string =>
  message
    .replace(/^((?:proxy-)?authorization[ \t]*:[ \t]*)[^\r\n]*(?:\r\n[ \t][^\r\n]*)*/gim, '$1[redacted]')
    .replace(/^(a=crypto:.*?inline:)[^\s|;]*/gim, '$1[redacted]');
