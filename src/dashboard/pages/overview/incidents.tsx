import type { ComponentChildren } from 'preact';
import type { Notice } from '../../client.ts';
import { Moment } from '../../parts/few/moment.tsx';
import { Icon } from '../../parts/icon.tsx';
import { serverNow } from '../../state/clock.ts';
import { isAdmin, isMember, system } from '../../state/session.ts';
import { overview } from '../../text/overview.ts';
import type { Live, LiveIncidents, Loading } from './load.ts';

type Incident = {
  key: string;
  title: string;
  href: string;
  button: string;
  since?: string | undefined;
  text?: ComponentChildren;
  isMild?: boolean;
};

const weekMs = 604_800_000;

function incidentsOf({ campaigns }: Loading, live: Live | undefined, now: LiveIncidents | undefined): Incident[] {
  const failing = live?.failing_endpoints ?? 0;
  return [
    ...(failing === 0
      ? []
      : [
          {
            key: 'endpoints',
            title: overview.failing(failing),
            href: '/deliveries',
            button: overview.mend,
            since: now?.endpoints[0]?.failing_since,
            text: overview.failingText(live!.held_deliveries),
          },
        ]),
    ...(now?.numbers ?? []).map(({ id, phone, last_error: fault }) => ({
      key: id,
      title: overview.paused(phone),
      href: '/numbers',
      button: overview.look,
      text: fault,
    })),
    ...campaigns
      .filter(({ status }) => status === 'active')
      .flatMap(({ id, name, agentId, phoneNumberId }) => {
        const href = `/campaigns/${id}?tab=settings`;
        const button = overview.mend;
        return [
          ...(agentId === null ? [{ key: `${id} agent`, title: overview.noAgent(name), href, button }] : []),
          ...(phoneNumberId === null ? [{ key: `${id} number`, title: overview.noNumber(name), href, button }] : []),
        ];
      }),
    ...(now?.knowledge_bases ?? []).map(({ id, name }) => ({
      key: id,
      title: overview.sourcesFailed(name),
      href: `/knowledge/${id}`,
      button: overview.look,
      isMild: true,
    })),
    ...systemIncidents(),
  ];
}

/** Problems that only admins can solve: the backup, failing checks of the installation, and nodes that are missing. */
function systemIncidents(): Incident[] {
  if (!isAdmin.value || !system.value) return [];
  const { backup, checks } = system.value;
  const last = backup.last_at === null ? undefined : Date.parse(backup.last_at);
  const isOld = last === undefined || (serverNow() ?? last) - last > weekMs;
  // A check that found a fault stands below; one that found none knows better than the age.
  const isChecked = checks?.some(({ id, status }) => id === 'backup' && status !== 'warn') ?? false;
  const href = '/system';
  return [
    ...(isOld && !isChecked
      ? [
          {
            key: 'backup',
            title: overview.noBackup,
            href,
            button: overview.look,
            text: overview.noBackupText,
            isMild: true,
          },
        ]
      : []),
    ...(checks ?? [])
      .filter(({ id, status }) => status === 'fail' || (id === 'nodes' && status === 'warn'))
      .map(({ id, status, message }) => ({
        key: `check ${id}`,
        title: status === 'fail' ? overview.checkFailed(id) : overview.nodes,
        href,
        button: overview.look,
        text: message,
        isMild: status !== 'fail',
      })),
  ];
}

/** The kinds of notices that say what stands among the incidents already. */
export function toldAbove(live: Live | undefined, now: LiveIncidents | undefined): ReadonlySet<Notice['kind']> {
  const kinds = [
    ...((live?.failing_endpoints ?? 0) > 0 ? ['webhook.endpoint_failing' as const] : []),
    ...((now?.numbers.length ?? 0) > 0 ? ['carrier.out_of_reach' as const] : []),
  ];
  return new Set(kinds);
}

type Props = { loading: Loading; live: Live | undefined; now: LiveIncidents | undefined };

/** What is wrong, and only then. Each stands once, with what leads to mending it. */
export function Incidents({ loading, live, now }: Props) {
  const incidents = incidentsOf(loading, live, now);
  if (incidents.length === 0) return null;
  return (
    <div role="region" aria-label={overview.incidents} class="stack tight">
      {incidents.map(({ key, title, href, button, since, text, isMild = false }) => (
        <div key={key} class={isMild ? 'notice warn incident' : 'notice bad incident'}>
          <Icon name="alert" />
          <p class="say" dir="auto">
            <strong>{title}</strong>
            {since && (
              <>
                {' '}
                {overview.since} <Moment at={since} none="" />
              </>
            )}
            {text && <> · {text}</>}
          </p>
          <a class={isMember.value ? 'button' : undefined} href={href} aria-label={overview.about(button, title)}>
            {button}
          </a>
        </div>
      ))}
    </div>
  );
}
