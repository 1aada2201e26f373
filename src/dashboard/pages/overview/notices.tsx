import { api, type Notice, readNotices } from '../../client.ts';
import { ActionProblem } from '../../parts/page.tsx';
import { Instant } from '../../parts/time.tsx';
import { useAction } from '../../state/action.ts';
import { isMember } from '../../state/session.ts';
import { overview } from '../../text/overview.ts';

/** What the organization was told and nobody has marked as read. */
export function Notices({ notices, changed }: { notices: readonly Notice[]; changed: () => void }) {
  const action = useAction();
  const read = (ids: string[]): Promise<boolean> =>
    action.run(async ({ idempotencyKey }) => {
      await readNotices(api, { body: { ids }, idempotencyKey });
      changed();
    }, overview.read);
  if (notices.length === 0) return null;
  return (
    <section>
      <div class="panel-head">
        <h2>{overview.notices}</h2>
        {isMember.value && notices.length > 1 && (
          <button type="button" class="tiny" onClick={() => void read(notices.map(({ id }) => id))}>
            {overview.markAllRead}
          </button>
        )}
      </div>
      <ActionProblem of={action} />
      <ul class="plain">
        {notices.map(({ id, subject, body, created_at: at }) => (
          <li key={id}>
            <details>
              <summary dir="auto">
                {subject} · <Instant at={at} relative />
              </summary>
              <p dir="auto" class="lines">
                {body}
              </p>
              {isMember.value && (
                <button type="button" class="tiny" onClick={() => void read([id])}>
                  {overview.markRead}
                </button>
              )}
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
