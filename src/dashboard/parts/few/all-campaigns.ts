import { api, type Campaign, listCampaigns } from '../../client.ts';

const pageSize = 500;
/** More than these are not offered as choices; the newest are. */
const maxCampaigns = 2000;

/** The newest campaigns, up to 2,000, for choices and for their names. */
export async function allCampaigns(signal: AbortSignal): Promise<Campaign[]> {
  const found: Campaign[] = [];
  for (;;) {
    const page = { limit: pageSize, offset: found.length };
    const { data, meta } = await listCampaigns(api, { query: page, signal });
    found.push(...data);
    if (data.length === 0 || found.length >= Math.min(meta.total, maxCampaigns)) return found;
  }
}
