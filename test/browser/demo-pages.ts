import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { demo } from '../cli/support.ts';
import { aPassword } from '../support/people.ts';

type Thing = Record<string, unknown> & { id: string };

/**
 * Starts the demo and sets up its dashboard as its first person would. Adds what a demo has none of, and answers its URL with the paths to
 * look at, one of each kind.
 */
export async function openDemo(t: TestContext, page: Page): Promise<{ url: string; paths: string[] }> {
  const running = demo(t, []);
  const out = await running.prints(/A campaign of \d+ contacts starts/);
  const setUp = /http:\/\/\S+\/setup\S*/.exec(out)![0];
  await page.goto(setUp);
  await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill('mara@lindenhof.example');
  await page.getByLabel('Password', { exact: true }).fill(aPassword);
  await page.getByRole('textbox', { name: 'Organization', exact: true }).fill('Zahnzentrum Lindenhof');
  await page.getByRole('button', { name: 'Set up', exact: true }).click();
  await page.getByRole('heading', { name: 'Overview', exact: true, level: 1 }).waitFor();
  const ask = <T = Thing[]>(path: string, method = 'GET', body?: object): Promise<T> =>
    page.evaluate(
      async ([where, how, what]) => {
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(`/api/v1${where}`, {
          method: how,
          ...(what === '' ? {} : { headers, body: what }),
        });
        return ((await response.json()) as { data: unknown }).data;
      },
      [path, method, body === undefined ? '' : JSON.stringify(body)] as const,
    ) as Promise<T>;
  const paths = await pathsOf(ask);
  return { url: new URL(setUp).origin, paths };
}

type Ask = <T = Thing[]>(path: string, method?: string, body?: object) => Promise<T>;

async function pathsOf(ask: Ask): Promise<string[]> {
  const campaign = (await ask('/campaigns?q=Kontrolltermine'))[0]!;
  const agent = (await ask('/agents?q=Ada'))[0]!;
  const prompt =
    'Finde einen Kontrolltermin in den nächsten zwei Wochen.\nNenne zwei Termine.\nSprich kurz und freundlich.';
  await ask(`/agents/${agent.id}`, 'PUT', { prompt, edition_note: 'Two dates at once' });
  const base = await ask<{ knowledge_base_id: string }>('/rag/knowledgebases', 'POST', { name: 'Praxis Lindenhof' });
  await ask(`/rag/knowledge-base/${base.knowledge_base_id}/add-sources`, 'POST', {
    knowledge_base_texts: [
      {
        title: 'Sprechzeiten',
        text: 'Die Praxis ist montags bis freitags von 8 bis 18 Uhr geöffnet, samstags nach Vereinbarung. Eine Kontrolle dauert etwa 30 Minuten.',
      },
      { title: 'Anfahrt', text: 'Vom Hauptbahnhof mit der Linie 4 bis Lindenplatz. Parkplätze stehen im Hof.' },
    ],
  });
  const calls = await ask<Array<{ call_id: string }>>(`/calls?campaign_id=${campaign.id}&goals_met=true&limit=1`);
  const waiting = await ask<Array<{ contact_id: string }>>(`/campaigns/${campaign.id}/contacts?status=pending&limit=5`);
  const deliveries = await ask('/webhooks/deliveries?limit=1');
  return [
    '/',
    '/live',
    '/campaigns',
    `/campaigns/${campaign.id}`,
    '/campaigns/new',
    '/contacts',
    `/contacts/${waiting.at(-1)!.contact_id}`,
    '/calls',
    `/calls/${calls[0]!.call_id}`,
    '/agents',
    `/agents/${agent.id}`,
    '/knowledge',
    `/knowledge/${base.knowledge_base_id}`,
    '/numbers',
    '/calendar',
    '/deliveries',
    `/deliveries/${deliveries[0]!.id}`,
    '/do-not-call',
    '/people',
    '/audit',
    '/system',
    '/account',
  ];
}
