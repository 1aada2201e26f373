import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getAsset, isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { DashboardBuild } from '../http/dashboard/build.ts';
import { keptText } from './checkout-cache.ts';

/** The asset name under which `.build/package.ts` embeds the built dashboard in the executable. */
const assetName = 'dashboard.json';

/** The packaged executable holds the dashboard. A checkout builds it when it is first needed, and again when its sources changed. */
export const loadDashboard = async (): Promise<DashboardBuild> =>
  JSON.parse(isSea() ? getAsset(assetName, 'utf8') : await buildOfCheckout()) as DashboardBuild;

function buildOfCheckout(): Promise<string> {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  return keptText(`dashboard-${sourceHash(root)}.json`, () => runBuild(root));
}

/** Runs the build in a process of its own, because compressing takes a second. */
async function runBuild(root: string): Promise<string> {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [join(root, '.build/dashboard.ts')], { maxBuffer: 2 ** 26 });
  return stdout;
}

/** A hash of everything that the build reads; package-lock.json stands for the versions of its packages. */
function sourceHash(root: string): string {
  const hash = createHash('sha256');
  const files = ['src/dashboard', 'src/http/dashboard', 'clients/typescript'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  for (const file of [...files, join(root, '.build/dashboard.ts'), join(root, 'package-lock.json')].toSorted()) {
    hash.update(`${file}\0`).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}
