import { z } from 'zod';
import { p, ref } from '../kernel/params.ts';

const text = {
  search: p
    // as long as the texts of all other searches
    .text({ isFilled: true, longest: 255 })
    .describe('The text, in upper or lower case.'),
};

/** What all routes of searches have in common. */
export const search = {
  method: 'get',
  access: 'signed in',
  description: 'From GitLab 10.5. The form of the results depends on `scope`.',
  // the core calls the text of some searches otherwise
  faultNames: { query: 'search' },
} as const;

/** The description of the parameter `scope`. */
export const scopeText = 'What is searched.';

/** The parameters of a search of everything, and of one group or project. */
export const everywhereParams = z.object(text);
export const withinParams = z.object({ ...ref, ...text });

/** An endpoint without a SOAP method has a title. */
export interface SearchPlace {
  readonly path: string;
  readonly title?: string;
}
