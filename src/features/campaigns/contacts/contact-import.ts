import { transact, type Tx, unguarded } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { Upload } from '../../../kernel/route.ts';
import { type Imported, importContacts, type ImportOptions } from '../../contacts/import/import.ts';
import { appendAudit, type NewAuditEntry } from '../../requests/audit.ts';
import { campaignDestination } from './campaign-contacts.ts';
import { recordEvent } from '../results/history.ts';

/**
 * Imports a file and adds its contacts to a campaign, batch by batch. The campaign's history gets one event for all batches. If the import
 * fails halfway, that event and the audit entry `entry` are written for the batches before; otherwise the caller writes `entry`.
 * @throws as importContacts; notFound when the organization has no such campaign; conflict when the campaign was completed a moment ago
 */
export async function importCampaignContacts(
  app: App,
  campaignId: string,
  upload: Upload,
  options: ImportOptions,
  entry: NewAuditEntry,
): Promise<Imported> {
  const { orgId, actor } = entry;
  const recordAdded = async (tx: Tx, { counts: { added, skipped } }: Imported): Promise<void> => {
    if (added > 0) await recordEvent(app, tx, campaignId, 'contacts_added', actor, { added, skipped });
  };
  const imported = await importContacts(app, orgId, upload, options, {
    destination: await campaignDestination(app, orgId, campaignId),
    by: entry,
    async recordCutOff(tx, partly) {
      await recordAdded(tx, partly);
      await appendAudit(app, tx, entry);
    },
  });
  if (!options.dryRun) await unguarded(() => transact(app.db, orgId, (tx) => recordAdded(tx, imported)));
  return imported;
}
