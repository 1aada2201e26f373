import { count } from './plural.ts';

export const wall = {
  calls: (n: number) => count(n, 'call', 'calls'),
  fullScreen: 'Full screen',
};
