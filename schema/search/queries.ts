import { builder } from '../kernel/builder.ts';
import { refuseFaults } from '../kernel/errors.ts';
import { tooLong, tooShort } from '../kernel/lengths.ts';
import { longestSearch } from '../kernel/search.ts';
import { SearchResults } from './types.ts';

/** A single character would match nearly every record. */
const shortestSearch = 2;

builder.queryField('search', (t) =>
  t.field({
    type: SearchResults,
    description: 'Searches for a text in the records that the current user may see.',
    args: {
      query: t.arg.string({
        required: true,
        description: `The text, of ${shortestSearch} to ${longestSearch} characters without spaces at its ends. INVALID if it is shorter or longer.`,
      }),
    },
    resolve: (_root, { query }) => {
      const text = query.trim();
      refuseFaults({ query: [...tooShort(text, shortestSearch), ...tooLong(text, longestSearch)] });
      return { text };
    },
  }),
);
