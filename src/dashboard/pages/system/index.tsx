import type { ComponentChildren } from 'preact';
import { advanceTestClock, api } from '../../client.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { ActionProblem, Loaded, Page } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { useAction } from '../../state/action.ts';
import { announce } from '../../state/announce.ts';
import type { Pages } from '../../state/pages.ts';
import { useResource } from '../../state/resource.ts';
import { isMember, loadSystem, type System, system } from '../../state/session.ts';
import { number } from '../../text/plural.ts';
import { systemTexts as texts } from '../../text/system.ts';
import { NodesSection } from './nodes.tsx';
import { OrganizationSection } from './organization.tsx';

function SystemPage() {
  // The banner and the clock show the same answer, so it is loaded into their place.
  const loaded = useResource('system', async () => {
    await loadSystem();
    return system.value!;
  });
  return (
    <Page
      heading={texts.heading}
      actions={
        <button type="button" onClick={loaded.reload}>
          {texts.refresh}
        </button>
      }
    >
      <Loaded of={loaded}>{(shown) => <SystemView shown={shown} reload={loaded.reload} />}</Loaded>
    </Page>
  );
}

function SystemView({ shown, reload }: { shown: System; reload: () => void }) {
  const { clock, checks } = shown;
  return (
    <>
      <Figures {...shown} />
      {clock.test && <TestClock now={clock.now} advanced={reload} />}
      {shown.storage === 'postgres' && <NodesSection nodes={shown.nodes} />}
      {checks ? (
        <div class="columns two-one">
          <Checks checks={checks} />
          <Backup {...shown.backup} />
        </div>
      ) : (
        <Backup {...shown.backup} />
      )}
      {/* Last, since it comes later and would move what stands below it. */}
      <OrganizationSection />
    </>
  );
}

const rankOf = ({ status }: Check): number => ['fail', 'warn', 'ok'].indexOf(status);

/** The state of the server in a line; findings are shown to admins only. */
function Figures({ version, carrier, queue, checks, storage, email, uptime_sec: uptime, clock }: System) {
  const worst = checks?.toSorted((a, b) => rankOf(a) - rankOf(b))[0]?.status;
  const found = (checks ?? []).filter(({ status }) => status === worst).length;
  const figures: Array<readonly [name: string, value: ComponentChildren, note: ComponentChildren]> = [
    ...(checks && worst
      ? [
          [
            texts.state,
            worst === 'ok' ? texts.good : number(found),
            <Status key="state" value={worst}>
              {texts.foundBy(worst, checks.length)}
            </Status>,
          ] as const,
        ]
      : []),
    [texts.queue, number(queue.due), texts.queueOf(queue.due, queue.oldest_sec)],
    [texts.carrier, texts.drivers[carrier.driver] ?? carrier.driver, carrier.simulated ? texts.simulated : ''],
    [texts.email, email.configured ? texts.on : texts.off, email.configured ? texts.emailOn : texts.emailOff],
    [texts.uptime, texts.uptimeOf(uptime), <Instant key="clock" at={clock.now} seconds />],
    [texts.version, version, texts.storages[storage]],
  ];
  return (
    <ul class="figures" aria-label={texts.state}>
      {figures.map(([name, value, note]) => (
        <li key={name}>
          <span class="label">{name}</span>
          <span class="big">{value}</span>
          <span class="note">{note}</span>
        </li>
      ))}
    </ul>
  );
}

function Backup({ last_at: at, next_at: next, path, size_bytes: size, error }: System['backup']) {
  return (
    <section>
      <h2>{texts.backup}</h2>
      <p>
        <Instant at={at} seconds relative none={texts.never} />
      </p>
      <Facts
        facts={[
          [texts.backupPath, path],
          [texts.backupSize, size === null ? null : texts.mebibytes(size)],
          [texts.backupNext, next === null ? null : <Instant key="next" at={next} seconds />],
          [texts.backupError, error],
        ]}
      />
      <p>{texts.backupCommand}</p>
      <div class="actions">
        <code>{texts.command}</code>
        <CopyButton name={texts.copyCommand} text={() => texts.command} />
      </div>
    </section>
  );
}

function TestClock({ now, advanced }: { now: string; advanced: () => void }) {
  const action = useAction();
  const advance = (ms: number): Promise<boolean> =>
    action.run(async ({ idempotencyKey }) => {
      const { data } = await advanceTestClock(api, { body: { ms }, idempotencyKey });
      announce(texts.advanced(Object.values(data.ran).reduce((sum, n) => sum + n, 0)));
      advanced();
    });
  return (
    <section>
      <h2>{texts.testClock}</h2>
      <p>
        <Instant at={now} />
      </p>
      <p class="quiet">{texts.testClockText}</p>
      <ActionProblem of={action} />
      {isMember.value && (
        <div class="actions">
          {texts.steps.map(([ms, name]) => (
            <button key={ms} type="button" aria-disabled={action.busy} onClick={() => void advance(ms)}>
              {name}
            </button>
          ))}
        </div>
      )}
    </section>
  );
}

type Check = NonNullable<System['checks']>[number];

/** What needs a look stands first. */
function Checks({ checks }: { checks: readonly Check[] }) {
  return (
    <section>
      <h2>{texts.checks}</h2>
      <p class="quiet">{texts.checksText}</p>
      <Table
        caption={texts.checks}
        rows={checks.toSorted((a, b) => rankOf(a) - rankOf(b))}
        rowKey={({ id }) => id}
        columns={[
          { name: texts.check, cell: ({ id }) => id },
          { name: texts.status, cell: ({ status }) => <Status value={status} /> },
          { name: texts.message, cell: ({ message }) => message },
        ]}
      />
    </section>
  );
}

export const pages: Pages = { '/system': SystemPage };
