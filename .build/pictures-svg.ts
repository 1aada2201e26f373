/** A drawing with the colours of the documentation, in light and dark. Sizes are pixels. */

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => escapes[character]!);

const style = `
text { font: 14px system-ui, sans-serif; fill: #1c2128; }
.quiet { fill: #57606a; font-size: 12px; }
.mid { text-anchor: middle; }
.end { text-anchor: end; }
.box { fill: #f4f5f7; stroke: #57606a; }
.open { fill: #0b6e4f; }
.mark { fill: #0a58ca; }
.bad { fill: #b3261e; }
.line { stroke: #57606a; fill: none; }
.grid { stroke: #d6dae0; fill: none; }
.ground { fill: #ffffff; }
@media (prefers-color-scheme: dark) {
text { fill: #e4e7eb; }
.quiet { fill: #a2abb8; }
.box { fill: #1d2229; stroke: #a2abb8; }
.open { fill: #5fd3a8; }
.mark { fill: #7db4ff; }
.bad { fill: #ff9b93; }
.line { stroke: #a2abb8; }
.grid { stroke: #353c47; }
.ground { fill: #14171c; }
}`;

export const text = (x: number, y: number, content: string, kind = ''): string =>
  `<text x="${x}" y="${y}"${kind === '' ? '' : ` class="${kind}"`}>${escape(content)}</text>`;

export const rect = (x: number, y: number, width: number, height: number, kind: string): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="3" class="${kind}"/>`;

export const line = (x1: number, y1: number, x2: number, y2: number, kind = 'line'): string =>
  `<path d="M${x1} ${y1}L${x2} ${y2}" class="${kind}"/>`;

/** A line that ends with a head. */
export const arrow = (x1: number, y1: number, x2: number, y2: number): string =>
  `<path d="M${x1} ${y1}L${x2} ${y2}" class="line" marker-end="url(#head)"/>`;

export const dot = (x: number, y: number, kind: string): string =>
  `<circle cx="${x}" cy="${y}" r="5" class="${kind}"/>`;

/** A box with its name in the middle. */
export const named = (x: number, y: number, width: number, height: number, name: string): string =>
  rect(x, y, width, height, 'box') + text(x + width / 2, y + height / 2 + 5, name, 'mid');

export function drawing(width: number, height: number, title: string, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(title)}">`,
    `<style>${style}</style>`,
    '<defs><marker id="head" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto"><path d="M0 0L8 4L0 8" class="line"/></marker></defs>',
    rect(0, 0, width, height, 'ground'),
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}
