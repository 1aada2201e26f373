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
import { systemTexts } from '../../text/system.ts';
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
      heading={systemTexts.heading}
      actions={
        <button type="button" onClick={loaded.reload}>
          {systemTexts.refresh}
        </button>
      }
    >
      <Loaded of={loaded}>{(shown) => <SystemView shown={shown} reload={loaded.reload} />}</Loaded>
    </Page>
  );
}

function SystemView({ shown, reload }: { shown: System; reload: () => void }) {
  const { carrier, clock, checks, queue, email } = shown;
  return (
    <>
      {carrier.simulated && (
        <div class="notice warn">
          <p>
            <strong>{systemTexts.simulated}</strong>
          </p>
          <p>{systemTexts.simulatedText}</p>
        </div>
      )}
      <section>
        <Facts
          facts={[
            [systemTexts.version, shown.version],
            [systemTexts.carrier, systemTexts.drivers[carrier.driver] ?? carrier.driver],
            [systemTexts.queue, systemTexts.queueOf(queue.due, queue.oldest_sec)],
            [systemTexts.uptime, systemTexts.uptimeOf(shown.uptime_sec)],
            [systemTexts.storage, systemTexts.storages[shown.storage]],
            [systemTexts.email, email.configured ? systemTexts.emailOn : systemTexts.emailOff],
            [systemTexts.clock, <Instant key="clock" at={clock.now} />],
          ]}
        />
      </section>
      <Backup {...shown.backup} />
      {clock.test && <TestClock now={clock.now} advanced={reload} />}
      {shown.storage === 'postgres' && <NodesSection nodes={shown.nodes} />}
      {checks && <Checks checks={checks} />}
      {/* Last, since it comes later and would move what stands below it. */}
      <OrganizationSection />
    </>
  );
}

function Backup({ last_at: at, next_at: next, path, size_bytes: size, error }: System['backup']) {
  return (
    <section>
      <h2>{systemTexts.backup}</h2>
      <p>
        <Instant at={at} relative none={systemTexts.never} />
      </p>
      <Facts
        facts={[
          [systemTexts.backupPath, path],
          [systemTexts.backupSize, size === null ? null : systemTexts.mebibytes(size)],
          [systemTexts.backupNext, next === null ? null : <Instant key="next" at={next} />],
          [systemTexts.backupError, error],
        ]}
      />
      <p>{systemTexts.backupCommand}</p>
      <div class="actions">
        <code>{systemTexts.command}</code>
        <CopyButton name={systemTexts.copyCommand} text={() => systemTexts.command} />
      </div>
    </section>
  );
}

function TestClock({ now, advanced }: { now: string; advanced: () => void }) {
  const action = useAction();
  const advance = (ms: number): Promise<boolean> =>
    action.run(async ({ idempotencyKey }) => {
      const { data } = await advanceTestClock(api, { body: { ms }, idempotencyKey });
      announce(systemTexts.advanced(Object.values(data.ran).reduce((sum, n) => sum + n, 0)));
      advanced();
    });
  return (
    <section>
      <h2>{systemTexts.testClock}</h2>
      <p>
        <Instant at={now} />
      </p>
      <p class="quiet">{systemTexts.testClockText}</p>
      <ActionProblem of={action} />
      {isMember.value && (
        <div class="actions">
          {systemTexts.steps.map(([ms, name]) => (
            <button key={ms} type="button" aria-disabled={action.busy} onClick={() => void advance(ms)}>
              {name}
            </button>
          ))}
        </div>
      )}
    </section>
  );
}

function Checks({ checks }: { checks: NonNullable<System['checks']> }) {
  return (
    <section>
      <h2>{systemTexts.checks}</h2>
      <p class="quiet">{systemTexts.checksText}</p>
      <Table
        caption={systemTexts.checks}
        rows={checks}
        rowKey={({ id }) => id}
        columns={[
          { name: systemTexts.check, cell: ({ id }) => id },
          { name: systemTexts.status, cell: ({ status }) => <Status value={status} /> },
          { name: systemTexts.message, cell: ({ message }) => message },
        ]}
      />
    </section>
  );
}

export const pages: Pages = { '/system': SystemPage };
