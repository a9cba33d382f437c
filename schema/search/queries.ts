import { builder } from '../kernel/builder.ts';
import { longestSearch, searchText, shortestSearch } from '../kernel/search.ts';
import { SearchResults } from './types.ts';

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
    resolve: (_root, { query }) => ({ text: searchText(query, 'query') }),
  }),
);
