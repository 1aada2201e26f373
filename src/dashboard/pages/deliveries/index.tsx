import type { Pages } from '../../state/pages.ts';
import { DeliveryPage } from './delivery.tsx';
import { DeliveriesPage } from './list.tsx';

export const pages: Pages = { '/deliveries': DeliveriesPage, '/deliveries/:id': DeliveryPage };
