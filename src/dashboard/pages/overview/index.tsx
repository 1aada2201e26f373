import { Page } from '../../parts/page.tsx';
import type { Pages } from '../../state/pages.ts';
import { pages as names } from '../../text/en.ts';
import { CallsInFlight } from './calls.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Needs } from './needs.tsx';
import { RunningCampaigns } from './running.tsx';
import { Today } from './today.tsx';

/** Each part shows those below it once it has loaded, so that nothing that is shown moves. Live calls come last for the same reason. */
function OverviewPage() {
  return (
    <Page heading={names.overview}>
      <FirstSteps>
        <Needs>
          <RunningCampaigns>
            <Today>
              <CallsInFlight />
            </Today>
          </RunningCampaigns>
        </Needs>
      </FirstSteps>
    </Page>
  );
}

export const pages: Pages = { '/': OverviewPage };
