import { api, explainContact, type WhyInCampaign } from '../../client.ts';
import { RingStrip, RingStatement, WhyFacts } from '../../parts/few/why.tsx';
import { why as texts } from '../../text/why.ts';

const hours = 24;

export const loadWhy = async (id: string, signal: AbortSignal): Promise<WhyInCampaign[]> =>
  (await explainContact(api, { params: { id }, query: { hours }, signal })).data;

/** When the person's telephone rings in each campaign that may still call, and what stands against it until then. */
export function WhenItRings({ rows }: { rows: readonly WhyInCampaign[] }) {
  return (
    <section aria-labelledby="when">
      <h2 id="when">{texts.heading}</h2>
      {rows.length === 0 && <p class="quiet">{texts.notRunning}</p>}
      {rows.map((row) => (
        <InCampaign key={row.campaign_id} row={row} />
      ))}
    </section>
  );
}

function InCampaign({ row }: { row: WhyInCampaign }) {
  return (
    <>
      <p class="lead">
        {texts.in} <a href={`/campaigns/${row.campaign_id}`}>{row.campaign_name}</a>: <RingStatement why={row} />
      </p>
      <WhyFacts why={row} />
      {row.strip && <RingStrip strip={row.strip} />}
    </>
  );
}
