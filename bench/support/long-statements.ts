/** Statements that took more than 10 ms on the main thread, by name. */
export async function longStatements({
  url,
  headers,
}: {
  url: string;
  headers: Record<string, string>;
}): Promise<Map<string, number>> {
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  const counts = new Map<string, number>();
  for (const [, kind, name, le, value] of text.matchAll(
    /^parley_main_thread_statement_seconds_(bucket|count)\{statement="([^"]+)"(?:,le="([^"]+)")?\} (\d+)$/gm,
  )) {
    if (kind === 'count') counts.set(name!, (counts.get(name!) ?? 0) + Number(value));
    else if (le === '0.01') counts.set(name!, (counts.get(name!) ?? 0) - Number(value));
  }
  return counts;
}
