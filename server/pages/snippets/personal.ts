import { forbidden } from '../../../schema/kernel/errors.ts';
import { canCreatePersonalSnippet } from '../../../schema/snippets/policy.ts';
import { pathIn } from '../kernel/addresses.ts';
import type { Page, Visit } from '../kernel/page.ts';
import { showNewSnippet } from './form.ts';
import { personalHome } from './home.ts';
import { showPersonalSnippets } from './lists.ts';
import { showSnippetAt, submitSnippetTo } from './sections.ts';

/** The path after `/snippets/`. */
const restOf = ({ ctx }: Visit): string => pathIn(ctx.path.slice('/snippets'.length));

/** The pages of snippets that belong to users. */
export const personalSnippetPages: readonly Page[] = [
  { method: 'get', path: '/snippets', access: 'signed in', answer: showPersonalSnippets },
  {
    method: 'post',
    path: '/snippets',
    access: 'signed in',
    answer: (visit) => submitSnippetTo(visit, personalHome(visit), ''),
  },
  {
    method: 'get',
    path: '/snippets/new',
    access: 'signed in',
    answer: (visit) => {
      if (visit.viewer && !canCreatePersonalSnippet(visit.viewer)) throw forbidden();
      return showNewSnippet(visit, personalHome(visit));
    },
  },
  {
    method: 'get',
    path: '/snippets/*address',
    access: 'anyone',
    answer: (visit) => showSnippetAt(visit, personalHome(visit), restOf(visit)),
  },
  {
    method: 'post',
    path: '/snippets/*address',
    access: 'signed in',
    answer: (visit) => submitSnippetTo(visit, personalHome(visit), restOf(visit)),
  },
];
