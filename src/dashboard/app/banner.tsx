import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { Instant } from '../parts/time.tsx';
import { notLiveSince } from '../state/live.ts';
import { campaignZone, shortcuts, summaries, viewerZone, type ZoneChoice, zoneChoice } from '../state/preferences.ts';
import { system } from '../state/session.ts';
import { shell, shortcutTexts } from '../text/en.ts';
import { listenForKeys } from './keys.ts';
import { Palette } from './palette.tsx';
import { UserMenu } from './user-menu.tsx';

export function Banner({ user }: { user: { email: string } }) {
  const open = useSignal<'search' | 'shortcuts' | undefined>(undefined);
  const close = (): void => void (open.value = undefined);
  useEffect(
    () =>
      listenForKeys({
        search: () => void (open.value = 'search'),
        shortcuts: () => void (open.value = 'shortcuts'),
      }),
    [],
  );
  const since = notLiveSince.value;
  return (
    <header class="banner">
      <a class="brand" href="/">
        {shell.product}
      </a>
      {system.value?.carrier.simulated && <span class="badge">{shell.simulated}</span>}
      {since !== undefined && (
        <span class="badge warn">
          {shell.notLiveSince} <Instant at={since} />
        </span>
      )}
      <span class="space" />
      <button type="button" aria-keyshortcuts="Control+K Meta+K" onClick={() => void (open.value = 'search')}>
        {shell.search}
      </button>
      <button type="button" aria-keyshortcuts="?" onClick={() => void (open.value = 'shortcuts')}>
        {shell.shortcuts}
      </button>
      <ZoneSelect />
      <UserMenu email={user.email} />
      {open.value === 'search' && <Palette close={close} />}
      {open.value === 'shortcuts' && <Shortcuts close={close} />}
    </header>
  );
}

function ZoneSelect() {
  const id = useId();
  const zone = campaignZone.value;
  const chosen = zoneChoice.value === 'campaign' && zone === undefined ? 'viewer' : zoneChoice.value;
  return (
    <span class="inline-field">
      <label for={id}>{shell.timesIn}</label>{' '}
      <select
        id={id}
        value={chosen}
        onChange={(event) => void (zoneChoice.value = event.currentTarget.value as ZoneChoice)}
      >
        <option value="viewer">{shell.zoneOfViewer(viewerZone)}</option>
        <option value="utc">{shell.utc}</option>
        {zone !== undefined && <option value="campaign">{shell.zoneOfCampaign(zone)}</option>}
      </select>
    </span>
  );
}

function Shortcuts({ close }: { close: () => void }) {
  return (
    <Dialog title={shell.shortcuts} close={close}>
      <dl class="keys">
        {shortcutTexts.keys.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Choice
        label={shortcutTexts.enabled}
        checked={shortcuts.value === 'on'}
        change={(on) => void (shortcuts.value = on ? 'on' : 'off')}
      />
      <Choice
        label={shortcutTexts.summaries}
        checked={summaries.value === 'on'}
        change={(on) => void (summaries.value = on ? 'on' : 'off')}
      />
    </Dialog>
  );
}

type ChoiceProps = { label: string; checked: boolean; change(on: boolean): void };

function Choice({ label, checked, change }: ChoiceProps) {
  const id = useId();
  return (
    <div class="field check">
      <input id={id} type="checkbox" checked={checked} onChange={(event) => change(event.currentTarget.checked)} />
      <label for={id}>{label}</label>
    </div>
  );
}
