/**
 * Draws the layers of the program, from its imports, into docs/architecture.md.
 *
 *   node .build/generate-architecture.ts [--check]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { featureOf, importsOf, layerOf, programModules, root } from './imports.ts';

const purposes: Readonly<Record<string, string>> = {
  bin: 'the executable: arguments to command',
  cli: 'one file per command',
  main: 'builds the App, starts and stops everything',
  dashboard: 'the pages',
  http: 'server, validation, OpenAPI, /docs',
  features: 'what parley does',
  jobs: 'claims, runs and completes jobs; the test clock',
  search: 'full-text and vector search',
  extraction: 'documents to text',
  telephony: 'SIP, RTP, SRTP and codecs',
  talking: 'what an agent does in a call',
  kernel: 'App, operation(), events, the queue',
  db: 'transactions, prepared statements; sqlite/',
  base: 'clock, ids, config, secrets, outbound HTTP',
};

const modules = programModules();
const imports = modules.flatMap(importsOf);

/** The groups that each group imports directly. */
function graphOf(groupOf: (file: string) => string | undefined): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const file of modules) {
    const group = groupOf(file);
    if (group !== undefined) graph.set(group, graph.get(group) ?? new Set());
  }
  for (const { from, to } of imports) {
    const [group, other] = [groupOf(from), groupOf(to)];
    if (group === undefined || other === undefined || group === other || !graph.has(other)) continue;
    graph.get(group)!.add(other);
  }
  return graph;
}

/** The length of the longest chain of imports from each group; 0 for a group that imports no other. */
function depthsOf(graph: Map<string, Set<string>>): Map<string, number> {
  const depths = new Map<string, number>();
  const depthOf = (group: string): number => {
    const known = depths.get(group);
    if (known !== undefined) return known;
    const depth = Math.max(-1, ...[...graph.get(group)!].map(depthOf)) + 1;
    depths.set(group, depth);
    return depth;
  };
  for (const group of graph.keys()) depthOf(group);
  return depths;
}

/** The graph without arrows that follow from others, such as a → c where a → b → c. */
function withoutImplied(graph: Map<string, Set<string>>): Map<string, string[]> {
  const reaches = (from: string, to: string): boolean =>
    [...graph.get(from)!].some((next) => next === to || reaches(next, to));
  return new Map(
    [...graph].map(([group, targets]) => [
      group,
      [...targets].filter((to) => ![...targets].some((via) => via !== to && reaches(via, to))).toSorted(),
    ]),
  );
}

const arrowTo = (targets: readonly string[]): string => (targets.length > 0 ? `→ ${targets.join(', ')}` : '');

function drawLayers(): string[] {
  const graph = graphOf(layerOf);
  const [depths, arrows] = [depthsOf(graph), withoutImplied(graph)];
  const layers = [...graph.keys()].toSorted((a, b) => depths.get(b)! - depths.get(a)! || a.localeCompare(b));
  const missing = layers.filter((layer) => !(layer in purposes));
  if (missing.length > 0) throw new Error(`.build/generate-architecture.ts says nothing of ${missing.join(', ')}`);
  const top = Math.max(...depths.values());
  return layers.map((layer) => {
    const indent = '  '.repeat(top - depths.get(layer)!);
    return `  ${indent}${layer}`.padEnd(32) + arrowTo(arrows.get(layer)!).padEnd(34) + purposes[layer]!;
  });
}

function drawFeatures(): string[] {
  const graph = graphOf(featureOf);
  const [depths, arrows] = [depthsOf(graph), withoutImplied(graph)];
  const features = [...graph.keys()].toSorted((a, b) => depths.get(a)! - depths.get(b)! || a.localeCompare(b));
  return features.map((name) => `  ${name.padEnd(18)}${arrowTo(arrows.get(name)!)}`.trimEnd());
}

const picture = (): string => ['Layers', ...drawLayers(), '', 'Features', ...drawFeatures()].join('\n');

const file = join(root, 'docs/architecture.md');
const [start, end] = ['<!-- drawn by .build/generate-architecture.ts -->\n```\n', '\n```\n<!-- end of the drawing -->'];
const text = readFileSync(file, 'utf8');
const [from, to] = [text.indexOf(start), text.indexOf(end)];
if (from === -1 || to === -1) throw new Error(`${file} has no place for the drawing`);
const drawn = text.slice(0, from + start.length) + picture() + text.slice(to);
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
if (drawn === text) console.log(`${file} is up to date`);
else if (values.check) {
  console.error(`${file} does not show the imports as they are; run npm run generate`);
  process.exitCode = 1;
} else {
  writeFileSync(file, drawn);
  console.log(`wrote ${file}`);
}
