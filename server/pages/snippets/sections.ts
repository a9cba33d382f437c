import { graphql } from '../../../schema/client/graphql.ts';
import { forbidden, pathNotFound } from '../../../schema/kernel/errors.ts';
import { showDiscussionPart, submitToDiscussion } from '../discussions/parts.ts';
import type { ProjectPage, ProjectSection } from '../frame/sections.ts';
import { numberIn, splitFirst } from '../kernel/addresses.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { signInAddress } from '../kernel/return-to.ts';
import {
  showEditSnippet,
  showNewSnippet,
  submitDeleteSnippet,
  submitEditSnippet,
  submitNewSnippet,
} from './form.ts';
import { discussionPlace, projectHome, type SnippetHome } from './home.ts';
import { showProjectSnippets } from './lists.ts';
import { sendSnippet, showSnippet } from './snippet.ts';

const access = graphql(`
  query SnippetAccess($project: ID!) { project(id: $project) { access { canCreateSnippet } } }
`);

const show: ProjectPage = async (visit, project, rest) => {
  if (rest === '') return showProjectSnippets(visit, project);
  const home = projectHome(visit, project);
  if (rest !== 'new') {
    const [id, part] = splitFirst(rest);
    const place = discussionPlace(visit, project, numberIn(id));
    return (await showDiscussionPart(visit, place, part)) ?? showSnippetAt(visit, home, rest);
  }
  if (!visit.viewer) return { redirect: signInAddress(visit) };
  const shown = (await visit.ask(access, { project: String(project.id) })).project;
  if (!shown.access.canCreateSnippet) throw forbidden();
  return showNewSnippet(visit, home);
};

/** The pages of one snippet: `<id>`, `<id>/raw`, `<id>/edit`. */
export function showSnippetAt(visit: Visit, home: SnippetHome, rest: string): Promise<Answer> {
  const [number, part] = splitFirst(rest);
  const id = numberIn(number);
  if (part === '') return showSnippet(visit, home, id);
  if (part === 'raw') return sendSnippet(visit, home, id);
  if (part === 'edit') return showEditSnippet(visit, home, id);
  throw pathNotFound();
}

/** The forms of snippets: a new one at the address of the list, `<id>/edit`, `<id>/delete`. */
export function submitSnippetTo(visit: Visit, home: SnippetHome, rest: string): Promise<Answer> {
  if (rest === '') return submitNewSnippet(visit, home);
  const [number, part] = splitFirst(rest);
  const id = numberIn(number);
  if (part === 'edit') return submitEditSnippet(visit, home, id);
  if (part === 'delete') return submitDeleteSnippet(visit, home, id);
  throw pathNotFound();
}

const submit: ProjectPage = async (visit, project, rest) => {
  const home = projectHome(visit, project);
  if (rest === '') return submitNewSnippet(visit, home);
  const [id, part] = splitFirst(rest);
  const place = discussionPlace(visit, project, numberIn(id));
  return (await submitToDiscussion(visit, place, part)) ?? submitSnippetTo(visit, home, rest);
};

export const snippetSections: readonly ProjectSection[] = [{ word: 'snippets', show, submit }];
