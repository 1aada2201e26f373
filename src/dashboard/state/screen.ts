import { signal } from '@preact/signals';

/** Below this width there is a bar at the bottom in place of the navigation at the side, as in the styles. */
const narrow = matchMedia('(max-width: 899.98px)');

export const isNarrow = signal(narrow.matches);
narrow.addEventListener('change', () => void (isNarrow.value = narrow.matches));

/** A phone or tablet has none, as far as the styles can tell. */
export const hasKeyboard = !matchMedia('(hover: none) and (pointer: coarse)').matches;
