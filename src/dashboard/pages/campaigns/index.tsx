import type { Pages } from '../../state/pages.ts';
import { CampaignPage } from './campaign.tsx';
import { CampaignsPage } from './list.tsx';
import { NewCampaignPage } from './new.tsx';

export const pages: Pages = {
  '/campaigns': CampaignsPage,
  '/campaigns/new': NewCampaignPage,
  '/campaigns/:id': CampaignPage,
};
