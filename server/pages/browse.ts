import type Koa from 'koa';
import { graphql } from '../../schema/client/graphql.ts';
import { pathNotFound } from '../../schema/kernel/errors.ts';
import { encoded } from '../../schema/kernel/percent-encoding.ts';
import { groupFields } from './frame/group-head.ts';
import { projectHeadFields } from './frame/project-head.ts';
import { pathIn, splitFirst } from './kernel/addresses.ts';
import type { Answer, Page, SearchTarget, Visit } from './kernel/page.ts';
import { pageAddress } from './kernel/page-addresses.ts';
import { sectionsOfGroups, sectionsOfProjects } from './sections.ts';
import { showUser, userFields } from './users/user.ts';

interface Owning {
  readonly word: string;
  readonly owns?: (rest: string) => boolean;
}

/** Finds the section of a word and of the path after it. */
function finderOf<Section extends Owning>(sections: readonly Section[]) {
  const byWord = Map.groupBy(sections, ({ word }) => word);
  return (word: string, rest: string): Section | undefined =>
    byWord.get(word)?.find(({ owns }) => owns?.(rest) ?? true);
}

const inProjects = finderOf(sectionsOfProjects);
const inGroups = finderOf(sectionsOfGroups);

const place = graphql(
  `query Place($path: String!) {
    address(path: $path) {
      rest
      project { ...ProjectHeadFields }
      group { ...GroupFields }
      user { ...UserFields }
    }
  }`,
  [projectHeadFields, groupFields, userFields],
);

interface Asked {
  /** The path of the address, without the word of its kind. */
  readonly path: string;
  /** The kind that the address names, as in `/groups/acme`. */
  readonly wanted?: 'group' | 'user' | undefined;
}

async function ownersAt(visit: Visit, { path, wanted }: Asked) {
  const { rest, ...owners } = (await visit.ask(place, { path })).address;
  const owner = owners.project ?? owners.group ?? owners.user;
  const fullPath = owner && ('fullPath' in owner ? owner.fullPath : owner.username);
  if (!fullPath || (wanted && !owners[wanted])) throw pathNotFound();
  const below = rest.replace(/^-\//, '');
  const [word, after] = splitFirst(below);
  return { ...owners, fullPath, rest, below, word, after };
}

/** `/groups/acme/edit` → `acme/edit`, which must be a group. */
function askedIn(path: string): Asked {
  const [first, rest] = splitFirst(path.slice(1));
  if (first === 'groups') return { path: pathIn(rest), wanted: 'group' };
  if (first === 'users') return { path: pathIn(rest), wanted: 'user' };
  return { path: pathIn(path) };
}

/** A page whose search box searches in its project or group. */
async function searchingIn(
  field: SearchTarget['field'],
  { id, name }: Omit<SearchTarget, 'field'>,
  answer: Answer | Promise<Answer>,
): Promise<Answer> {
  const page = await answer;
  return 'main' in page ? { searchIn: { field, id, name }, ...page } : page;
}

async function showPlace(visit: Visit): Promise<Answer> {
  const { path, wanted } = askedIn(visit.ctx.path);
  const found = await ownersAt(visit, { path, wanted });
  const { fullPath, rest, below, word, after } = found;
  // the canonical path of jobs has `-/`
  const canonical = word === 'jobs' && found.project ? `-/${below}` : below;
  const requested = rest === '' ? path : path.slice(0, -rest.length - 1);
  const isMoved = requested.toLowerCase() !== fullPath.toLowerCase();
  if (isMoved || canonical !== rest) {
    const prefix = wanted === 'group' ? 'groups/' : '';
    const address = canonical === '' ? fullPath : `${fullPath}/${canonical}`;
    return { redirect: visit.url(`/${prefix}${encoded(address)}${visit.ctx.search}`) };
  }
  if (found.project) {
    const { show, isLive } = inProjects(word, after) ?? {};
    if (!show) throw pathNotFound();
    if (isLive) visit.neverKeep();
    return searchingIn('project_id', found.project, show(visit, found.project, after));
  }
  // a clone URL opened in a browser
  if (rest.endsWith('.git')) return { redirect: visit.url(`/${encoded(path.slice(0, -4))}`) };
  if (found.group) {
    const show = inGroups(word, after)?.show;
    if (!show) throw pathNotFound();
    return searchingIn('group_id', found.group, show(visit, found.group, after));
  }
  if (rest !== '' || !found.user) throw pathNotFound();
  return showUser(visit, found.user);
}

async function submitTo(visit: Visit): Promise<Answer> {
  const { project, group, word, after } = await ownersAt(visit, askedIn(visit.ctx.path));
  const submitted = project
    ? inProjects(word, after)?.submit?.(visit, project, after)
    : group && inGroups(word, after)?.submit?.(visit, group, after);
  if (!submitted) throw pathNotFound();
  return submitted;
}

const owns = ({ path }: Koa.Context): boolean => pageAddress.test(path);

/** Without a body it is no form: programs that try an address get the 404 of programs. */
const ownsForm = (ctx: Koa.Context): boolean => owns(ctx) && ctx.request.body !== undefined;

/**
 * The pages of users, groups, projects and their contents, and the forms on them. A missing resource
 * and one that the user may not see give the same 404.
 */
export const browsePages: readonly Page[] = [
  { method: 'get', path: '/*address', access: 'anyone', owns, isKept: true, answer: showPlace },
  { method: 'post', path: '/*address', access: 'signed in', owns: ownsForm, answer: submitTo },
];
