/** A connection to the control socket carries one request and one answer, each a line of JSON. */
export type ControlRequest = { task: string; args: unknown };
export type ControlAnswer = { ok: true; result: unknown } | { ok: false; message: string };

/** Far more than a configuration with its catalog takes. */
export const maxRequestBytes = 1_048_576;
