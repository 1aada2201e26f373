import { useId } from 'preact/hooks';
import { campaignZone, chooseZone, chosenZone, viewerZone, type ZoneChoice as Choice } from '../state/preferences.ts';
import { shell } from '../text/en.ts';

/** In which zone times are shown. `titled`: with its label in sight. */
export function ZoneChoice({ titled = false }: { titled?: boolean }) {
  const id = useId();
  const zone = campaignZone.value;
  return (
    <span class="zone-choice">
      <label for={id} class={titled ? 'label' : 'visually-hidden'}>
        {shell.timesIn}
      </label>
      <select id={id} value={chosenZone.value} onChange={(event) => chooseZone(event.currentTarget.value as Choice)}>
        <option value="viewer">{shell.zoneOfViewer(viewerZone)}</option>
        <option value="utc">{shell.utc}</option>
        {zone !== undefined && <option value="campaign">{shell.zoneOfCampaign(zone)}</option>}
      </select>
    </span>
  );
}
