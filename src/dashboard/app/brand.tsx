import { shell } from '../text/en.ts';

/** The mark and the name of the product. */
export function Brand() {
  return (
    <>
      <svg viewBox="0 0 22 22" aria-hidden="true">
        <path
          d="M5 1h12a4 4 0 0 1 4 4v8a4 4 0 0 1-4 4h-6l-5 4.5V17H5a4 4 0 0 1-4-4V5a4 4 0 0 1 4-4zm.5 6v4H7V7zm3-2v8H10V5zm3 1.5v5H13v-5zm3 1.5v2H16V8z"
          fill-rule="evenodd"
        />
      </svg>
      <span>{shell.product}</span>
    </>
  );
}
