/** The URL as it may be shown. */
export function shownUrl(url: string): string {
  const shown = new URL(url);
  if (shown.password !== '') shown.password = '***';
  return shown.href;
}
