import type { CarrierDriver } from './driver.ts';
import { httpDriver } from './http/driver.ts';
import { sipDriver } from './sip/driver.ts';
import { simulatedDriver } from './simulated/driver.ts';

/** All drivers that `carrier.driver` may name; the first is the default. */
export const carrierDrivers: readonly CarrierDriver[] = [simulatedDriver, httpDriver, sipDriver];
