import { given } from '../../../base/given.ts';
import { phonePartOf, search, searchTextIn } from '../../../kernel/filters.ts';
import { optional, Type } from '../../../kernel/schema.ts';

/** How requests find contacts of a campaign, apart from their status. */
export const foundBy = {
  q: search('Part of the name, phone number or e-mail address'),
  tag: optional(Type.String({ maxLength: 100, description: 'Only contacts with this tag' })),
};

/** The part of a `CampaignContactFilter` that a request gives. */
export const foundByOf = ({ q, tag }: { q?: string; tag?: string }) =>
  given({ text: phonePartOf(q) ?? searchTextIn(q), tag });
