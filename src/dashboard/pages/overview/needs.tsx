import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import {
  api,
  listCampaigns,
  listKnowledgeBases,
  listNotices,
  listPhoneNumbers,
  listWebhookEndpoints,
  type Notice,
  readNotices,
} from '../../client.ts';
import { ActionProblem, Loaded } from '../../parts/page.tsx';
import { Instant } from '../../parts/time.tsx';
import { useAction } from '../../state/action.ts';
import { serverNow } from '../../state/clock.ts';
import { useLive } from '../../state/live.ts';
import { isSettled, useResource } from '../../state/resource.ts';
import { isAdmin, isMember, session, system } from '../../state/session.ts';
import { overview } from '../../text/overview.ts';

type Need = { key: string; title: string; href: string; text?: ComponentChildren };
type Loading = Awaited<ReturnType<typeof load>>;

const weekMs = 604_800_000;
const maxNotices = 100;

async function load(signal: AbortSignal) {
  const [endpoints, numbers, campaigns, bases, notices] = await Promise.all([
    listWebhookEndpoints(api, { query: { status: 'failing', limit: 500 }, signal }),
    listPhoneNumbers(api, { query: { limit: 500 }, signal }),
    listCampaigns(api, { query: { status: 'active', limit: 500 }, signal }),
    listKnowledgeBases(api, { query: { org_id: session.value!.organization.id, failing: true }, signal }),
    listNotices(api, { query: { limit: maxNotices }, signal }),
  ]);
  return {
    endpoints: endpoints.data,
    numbers: numbers.data.filter(({ paused_until: until }) => until !== null),
    campaigns: campaigns.data,
    bases: bases.data,
    notices: notices.data.filter(({ read_at: at }) => at === null),
  };
}

function needsOf({ endpoints, numbers, campaigns, bases }: Loading): Need[] {
  const held = endpoints.reduce((sum, endpoint) => sum + endpoint.held, 0);
  return [
    ...(endpoints.length === 0
      ? []
      : [
          {
            key: 'endpoints',
            title: overview.failing(endpoints.length),
            href: '/deliveries',
            text: overview.failingText(held),
          },
        ]),
    ...numbers.map(({ id, phone, last_error: fault }) => ({
      key: id,
      title: overview.paused(phone),
      href: '/numbers',
      text: fault,
    })),
    ...campaigns.flatMap(({ id, name, agentId, phoneNumberId }) => [
      ...(agentId === null ? [{ key: `${id} agent`, title: overview.noAgent(name), href: `/campaigns/${id}` }] : []),
      ...(phoneNumberId === null
        ? [{ key: `${id} number`, title: overview.noNumber(name), href: `/campaigns/${id}` }]
        : []),
    ]),
    ...bases.map(({ id, name }) => ({ key: id, title: overview.sourcesFailed(name), href: `/knowledge/${id}` })),
    ...systemNeeds(),
  ];
}

/** Problems that only admins can solve: the backup and failing checks of the installation. */
function systemNeeds(): Need[] {
  if (!isAdmin.value || !system.value) return [];
  const { backup, checks } = system.value;
  const last = backup.last_at === null ? undefined : Date.parse(backup.last_at);
  const isOld = last === undefined || (serverNow() ?? last) - last > weekMs;
  return [
    ...(isOld ? [{ key: 'backup', title: overview.noBackup, href: '/system', text: overview.noBackupText }] : []),
    ...(checks ?? [])
      .filter(({ status }) => status === 'fail')
      .map(({ id, message }) => ({
        key: `check ${id}`,
        title: overview.checkFailed(id),
        href: '/system',
        text: message,
      })),
  ];
}

type Live = { failing_endpoints: number; held_deliveries: number; running_campaigns: number; unread_notices: number };

export function Needs({ children }: { children: ComponentChildren }) {
  const loaded = useResource('needs', load);
  const live = useLive<Live>('overview');
  const changes =
    live && [live.failing_endpoints, live.held_deliveries, live.running_campaigns, live.unread_notices].join();
  useEffect(() => {
    if (changes !== undefined) loaded.reload();
  }, [changes]);
  return (
    <>
      <section>
        <h2>{overview.needs}</h2>
        <Loaded of={loaded}>
          {(data) => (
            <>
              <NeedList needs={needsOf(data)} isQuiet={data.notices.length === 0} />
              <Notices notices={data.notices} changed={loaded.reload} />
            </>
          )}
        </Loaded>
      </section>
      {isSettled(loaded) && children}
    </>
  );
}

function NeedList({ needs, isQuiet }: { needs: readonly Need[]; isQuiet: boolean }) {
  if (needs.length === 0) return isQuiet ? <p class="quiet">{overview.nothingNeeds}</p> : null;
  return (
    <ul class="plain">
      {needs.map(({ key, title, href, text }) => (
        <li key={key} class="notice warn" dir="auto">
          <a href={href}>{title}</a>
          {text && <p>{text}</p>}
        </li>
      ))}
    </ul>
  );
}

function Notices({ notices, changed }: { notices: readonly Notice[]; changed: () => void }) {
  const action = useAction();
  const read = (ids: string[]): Promise<boolean> =>
    action.run(async ({ idempotencyKey }) => {
      await readNotices(api, { body: { ids }, idempotencyKey });
      changed();
    }, overview.read);
  return (
    <>
      <ActionProblem of={action} />
      <ul class="plain">
        {notices.map(({ id, subject, body, created_at: at }) => (
          <li key={id} class="notice">
            <details>
              <summary dir="auto">
                {subject} · <Instant at={at} relative />
              </summary>
              <p dir="auto" class="lines">
                {body}
              </p>
              {isMember.value && (
                <button type="button" onClick={() => void read([id])}>
                  {overview.markRead}
                </button>
              )}
            </details>
          </li>
        ))}
      </ul>
      {isMember.value && notices.length > 1 && (
        <p>
          <button type="button" onClick={() => void read(notices.map(({ id }) => id))}>
            {overview.markAllRead}
          </button>
        </p>
      )}
    </>
  );
}
