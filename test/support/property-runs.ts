/**
 * How many cases a slow test tries: all of them where TEST_RUNS is `all`, otherwise a few. `npm run test:long` sets that and runs all files
 * that call this.
 */
export const propertyRuns = ({ few, all }: { few: number; all: number }): number =>
  process.env['TEST_RUNS'] === 'all' ? all : few;
