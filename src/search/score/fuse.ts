import type { Similar } from '../recall/similar.ts';

/** How much of what words leave open a vector may fill. */
const most = 0.6;
/** Deviations from the strongest chance hit to a hit that counts fully. */
const range = 2.5;
/** How cosines of few passages are taken to spread, and for how many passages that assumption stands. */
const usualDeviation = 0.1;
const assumed = 5;

/**
 * How much a cosine says, from 0 to 1. Models differ in what a cosine of 0.5 means, so it is judged by how far it stands out from
 * those of all passages. Among many something always stands out by chance (of n normal ones √(2 ln n) deviations): what does not go
 * beyond says nothing. So a weak model, whose cosines are chance, changes next to nothing.
 */
export function meaningOf(cosine: number, { mean, deviation, passages }: Similar): number {
  const variance = (passages * deviation ** 2 + assumed * usualDeviation ** 2) / (passages + assumed);
  const outstanding = (cosine - mean) / Math.sqrt(variance);
  const byChance = 0.85 * Math.sqrt(2 * Math.log(Math.max(2, passages)));
  return Math.min(1, Math.max(0, (outstanding - byChance) / range));
}

/** The score by words, raised by what the vectors say. */
export const fused = (byWords: number, meaning: number): number => byWords + (1 - byWords) * most * meaning;
