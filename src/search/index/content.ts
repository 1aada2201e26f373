import { hash } from 'node:crypto';

export type PassageContent = { title: string; heading: string | null; text: string };

/** Everything that a passage says, one part a line: title and headings tell what its text is about. */
export const contentOf = ({ title, heading, text }: PassageContent): string =>
  [title, heading ?? '', text].filter((part) => part !== '').join('\n');

/** Identifies equal passages: they are shown once, and embedded once for an organization. */
export const contentHashOf = (passage: PassageContent): string => hash('sha256', contentOf(passage), 'base64url');
