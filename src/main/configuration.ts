import { type ConfigSources, type LoadedConfig, loadSettings } from '../base/config/load.ts';
import { ConfigSchema } from '../base/config/schema.ts';
import { type Setting, settingsTable, type SettingsTable, withSettings } from '../base/config/settings.ts';
import { type CarrierDriver, driverSettings } from '../features/calls/carriers/driver.ts';
import { carrierDrivers } from '../features/calls/carriers/index.ts';

/** Every setting: those of parley and those that the carrier drivers bring along. */
export const settingsWith = (drivers: readonly CarrierDriver[]): SettingsTable =>
  settingsTable(withSettings(ConfigSchema, driverSettings(drivers)));

const table = settingsWith(carrierDrivers);

/** Every setting by its path, in the order of `config print`. */
export const SETTINGS: ReadonlyMap<string, Setting> = table.settings;

/** @throws {ConfigError} listing every fault of every source */
export const loadConfig = (sources: ConfigSources): LoadedConfig => loadSettings(table, sources);
