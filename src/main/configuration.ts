import { type ConfigSources, type LoadedConfig, loadSettings } from '../base/config/load.ts';
import { ConfigSchema } from '../base/config/schema.ts';
import { type Setting, settingsTable, type SettingsTable, withSettings } from '../base/config/settings.ts';
import { type CarrierDriver, driverSettings } from '../features/calls/carriers/driver.ts';
import { carrierDrivers } from '../features/calls/carriers/index.ts';

/** All settings: parley's own and those of the given carrier drivers. */
export const settingsWith = (drivers: readonly CarrierDriver[]): SettingsTable =>
  settingsTable(withSettings(ConfigSchema, driverSettings(drivers)));

const table = settingsWith(carrierDrivers);

/** All settings by path, in the order of `config print`. */
export const SETTINGS: ReadonlyMap<string, Setting> = table.settings;

/** @throws {ConfigError} with all problems in all sources */
export const loadConfig = (sources: ConfigSources): LoadedConfig => loadSettings(table, sources);
