import type { CarrierDriver } from './driver.ts';
import { httpDriver } from './http/driver.ts';
import { sipDriver } from './sip/driver.ts';
import { simulatedDriver } from './simulated/driver.ts';
import { webDriver } from './web/driver.ts';

/** All drivers; the first is the default of `carrier.driver`. */
export const carrierDrivers: readonly CarrierDriver[] = [simulatedDriver, httpDriver, sipDriver, webDriver];
