import type { WebhookAttempt } from '../../client.ts';
import { Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { deliveries } from '../../text/deliveries.ts';
import { common } from '../../text/en.ts';

type Headers = Readonly<Record<string, string>> | null;

/** The attempts so far, each with its request and response, and the instants of those to come. */
export function Attempts({ rows, schedule }: { rows: readonly WebhookAttempt[]; schedule: readonly string[] }) {
  return (
    <>
      <Table
        caption={deliveries.attempts}
        rows={rows}
        rowKey={({ number }) => String(number)}
        empty={deliveries.noAttempts}
        columns={[
          { name: deliveries.time, cell: ({ at }) => <Instant at={at} seconds relative />, instants: true },
          { name: deliveries.status, cell: ({ status_code: code }) => code ?? deliveries.noAnswer },
          {
            name: deliveries.duration,
            cell: ({ duration_ms: ms }) => deliveries.milliseconds(ms),
            numeric: true,
          },
          { name: deliveries.fault, cell: ({ error }) => error ?? common.none },
          { name: deliveries.details, cell: (attempt) => <Exchange attempt={attempt} /> },
        ]}
      />
      {schedule.length > 0 && (
        <>
          <h3>{deliveries.toCome}</h3>
          <ol>
            {schedule.map((at) => (
              <li key={at}>
                <Instant at={at} seconds relative />
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
}

function Exchange({ attempt }: { attempt: WebhookAttempt }) {
  return (
    <details>
      <summary>{deliveries.details}</summary>
      <h4>{deliveries.request}</h4>
      <HeaderLines headers={attempt.request_headers} />
      <h4>{deliveries.response}</h4>
      <HeaderLines headers={attempt.response_headers} />
      <h4>{deliveries.body}</h4>
      <pre tabIndex={0}>{attempt.response_body || deliveries.emptyBody}</pre>
    </details>
  );
}

function HeaderLines({ headers }: { headers: Headers }) {
  if (headers === null) return <p class="quiet">{deliveries.noHeaders}</p>;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return <pre tabIndex={0}>{lines.join('\n')}</pre>;
}
