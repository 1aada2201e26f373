/** The level of the background noise, in dB above one step of a 16-bit sample. */
export type NoiseFloor = {
  /** Takes the level of the next 20 ms. */
  take(db: number): void;
  db(): number;
};

/** Nobody pauses between two syllables for longer than this, so the lowest level in it is that of the noise. */
const windowFrames = 75;
const blocks = 5;
/** Taken for the floor until a whole window was heard. A quiet telephone line has about this level. */
const quietLineDb = 36;

/** The lowest level of the last 1.5 s, kept as the lowest of five blocks. */
export function noiseFloor(): NoiseFloor {
  const lowest = Array.from({ length: blocks }, () => quietLineDb);
  let current = Number.POSITIVE_INFINITY;
  let frames = 0;
  let lowestOfBlocks = quietLineDb;
  let floor = quietLineDb;
  return {
    take(db) {
      current = Math.min(current, db);
      frames += 1;
      if (frames === windowFrames / blocks) {
        lowest.shift();
        lowest.push(current);
        lowestOfBlocks = Math.min(...lowest);
        current = Number.POSITIVE_INFINITY;
        frames = 0;
      }
      floor = Math.min(current, lowestOfBlocks);
    },
    db: () => floor,
  };
}
