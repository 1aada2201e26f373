/**
 * The result of one check of `parley doctor`. `fail`: something does not work; `warn`: it may soon fail, or an optional part is off.
 * `duration_ms`: how long a service took to be reached, or to fail.
 */
export type Finding = { check: string; status: 'ok' | 'warn' | 'fail'; message: string; duration_ms?: number };

export const finding = (check: string, status: Finding['status'], message: string): Finding => ({
  check,
  status,
  message,
});
