import type { CarrierDriver } from './driver.ts';
import { httpDriver } from './http/driver.ts';
import { simulatedDriver } from './simulated/driver.ts';

/** Every way of placing calls that `carrier.driver` may name; the first is the default. */
export const carrierDrivers: readonly CarrierDriver[] = [simulatedDriver, httpDriver];
