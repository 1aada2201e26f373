import { SelectFilter } from '../../parts/filters.tsx';
import { SpanChoice } from '../../parts/few/span-choice.tsx';
import { FiltersWithViews } from '../../parts/views.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loaded, Page } from '../../parts/page.tsx';
import { textIn } from '../../parts/time.tsx';
import { announce } from '../../state/announce.ts';
import { saveFile } from '../../state/download.ts';
import { messageOf } from '../../state/form.ts';
import { query } from '../../state/location.ts';
import type { Pages } from '../../state/pages.ts';
import { zone } from '../../state/preferences.ts';
import { useResource } from '../../state/resource.ts';
import { analytics } from '../../text/analytics.ts';
import { common, pages as names } from '../../text/en.ts';
import { defaultSpan, loadAnalytics, loadChoices, loadCsv, type Loading, spans, wanted } from './load.ts';
import { ByAgent, ByCampaign, Figures, HowFast, Rates, WhenAnswered, WhichVersion } from './pictures.tsx';

/** How calls went over days, by everything that may make a difference. All of what is chosen is in the address. */
function AnalyticsPage() {
  const loaded = useResource(`${query.value.toString()} ${zone.value}`, loadAnalytics);
  const choices = useResource('choices', loadChoices);
  return (
    <Page
      heading={names.analytics}
      about={loaded.data ? <About {...loaded.data} /> : ' '}
      actions={
        <>
          <SpanChoice spans={spans} chosen={wanted().span} usual={defaultSpan} />
          <CsvLink />
        </>
      }
    >
      <FiltersWithViews page="analytics">
        <SelectFilter
          name="agent_id"
          label={analytics.agent}
          options={(choices.data?.agents ?? []).map(({ id, agentName }) => ({ value: id, text: agentName }))}
        />
        <SelectFilter
          name="campaign_id"
          label={analytics.campaign}
          options={(choices.data?.campaigns ?? []).map(({ id, name }) => ({ value: id, text: name }))}
        />
        <SelectFilter name="edition" label={analytics.version} options={editionsOf(loaded.data)} />
      </FiltersWithViews>
      <Loaded of={loaded}>{(loading) => <Shown {...loading} />}</Loaded>
    </Page>
  );
}

const ZonedTime = ({ at, timezone }: { at: string; timezone: string }) => (
  <time datetime={at} title={common.inZone(textIn(at, timezone), timezone)}>
    {textIn(at, timezone)}
  </time>
);

function About({ whole: { from, to, timezone, rows } }: Loading) {
  return (
    <>
      <ZonedTime at={from} timezone={timezone} /> – <ZonedTime at={to} timezone={timezone} />
      {analytics.about(timezone, rows[0]?.totals.calls ?? 0)}
    </>
  );
}

/** The versions of the chosen agent that made calls in the span; versions of several agents are not one. */
const editionsOf = (loading: Loading | undefined) =>
  (query.value.get('agent_id') ? (loading?.editions.rows ?? []) : []).flatMap(({ key, name }) =>
    /^\d+$/.test(key) ? [{ value: key, text: name ?? key }] : [],
  );

function Shown({ whole, hours, agents, editions, campaigns }: Loading) {
  return (
    <>
      <Figures whole={whole} />
      <div class="columns two-one">
        <Rates whole={whole} />
        <div class="stack">
          <ByAgent of={agents} />
          <WhichVersion of={editions} />
        </div>
      </div>
      <div class="columns">
        <WhenAnswered hours={hours} />
        <HowFast whole={whole} />
      </div>
      <ByCampaign of={campaigns} />
    </>
  );
}

/** A link whose request says that CSV is wanted, which a browser's own would not. */
function CsvLink() {
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      saveFile('analytics.csv', 'text/csv', await loadCsv());
    } catch (error) {
      announce(messageOf(error));
    }
  };
  return (
    <a class="button" href="/api/v1/analytics" onClick={(event) => void save(event)}>
      <Icon name="download" />
      {analytics.csv}
    </a>
  );
}

export const pages: Pages = { '/analytics': AnalyticsPage };
