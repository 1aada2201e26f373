import { onCommit, type Tx } from '../../../../db/transaction.ts';
import type { App } from '../../../../kernel/app.ts';
import { appLocal } from '../../../../kernel/node.ts';
import type { Trunk } from '../../../numbers/events.ts';
import type { TrunkSources } from './trunk-sources.ts';

/** The sources of the running driver. */
const running = appLocal((): { sources: TrunkSources | undefined } => ({ sources: undefined }));

export const setSources = (app: App, sources: TrunkSources | undefined): void => void (running(app).sources = sources);

type TrunkChange = { orgId: string; before: Trunk | null; after: Trunk | null };

/** Calls come from the new trunk from now on. */
export function onNumberTrunkChanged(app: App, tx: Tx, { orgId, before, after }: TrunkChange): Promise<void> {
  onCommit(tx, () => running(app).sources?.change(orgId, before, after));
  return Promise.resolve();
}
