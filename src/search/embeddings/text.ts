import { hash } from 'node:crypto';

export type Embeddable = { title: string; heading: string | null; text: string };

/** What is embedded of a passage: it is about what its title and headings say, too. */
export const embeddedText = ({ title, heading, text }: Embeddable): string =>
  [title, heading ?? '', text].filter((part) => part !== '').join('\n');

export const contentHashOf = (passage: Embeddable): string => hash('sha256', embeddedText(passage), 'base64url');
