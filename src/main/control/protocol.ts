/** What goes over the control socket: one line of JSON each way, then the connection ends. */
export type ControlRequest = { task: string; args: unknown };
export type ControlAnswer = { ok: true; result: unknown } | { ok: false; message: string };

export const maxRequestBytes = 65_536;
