import { graphql } from '../../../schema/client/graphql.ts';
import { commitFields, commitLine } from '../code/location.ts';
import type { Compared } from '../diffs/compared.ts';
import { diffFields } from '../diffs/fields.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { type Html, html } from '../kernel/html.ts';
import { entries } from '../kernel/listing.ts';
import { orMissing } from '../kernel/or-missing.ts';
import type { Visit } from '../kernel/page.ts';

const comparison = graphql(
  `query BrowsedComparison($project: ID!, $from: String!, $to: String!) {
    repository(project: $project) {
      from: commit(ref: $from) { id }
      to: commit(ref: $to) { id }
      compare(from: $from, to: $to) {
        isTimedOut isSame commits { ...CommitRowFields message } diffs { ...BrowsedDiffFields }
      }
    }
  }`,
  [commitFields, diffFields],
);

const mergeBase = graphql(`
  query ComparedBase($project: ID!, $refs: [String!]!) {
    repository(project: $project) { mergeBase(refs: $refs) { id title } }
  }
`);

/** Commits that a page lists. */
const mostCommits = 100;

export interface Refs {
  readonly from: string;
  readonly to: string;
}

/** The commits and changes of `to` since its merge base with `from`; null if one does not exist. */
export async function compareRefs(visit: Visit, project: Project, refs: Refs) {
  const id = String(project.id);
  const result = await orMissing(visit.ask(comparison, { project: id, ...refs }));
  if (!result) return null;
  const { from, to, compare } = result.repository;
  const base = await orMissing(visit.ask(mergeBase, { project: id, refs: [from.id, to.id] }));
  const compared: Compared = {
    address: addressIn(visit, project, 'compare', `${refs.from}...${refs.to}`),
    diffs: compare.diffs,
    oldSha: base?.repository.mergeBase.id ?? null,
    newSha: to.id,
    isCut: compare.isTimedOut,
  };
  const { commits, isSame } = compare;
  return { compared, commits, isSame, base: base?.repository.mergeBase ?? null };
}

export type Comparison = NonNullable<Awaited<ReturnType<typeof compareRefs>>>;

/** The commits of a comparison, the newest first; or why there are none. */
export function comparedCommits(
  visit: Visit,
  project: Project,
  { commits, isSame }: Pick<Comparison, 'commits' | 'isSame'>,
  { from, to }: Refs,
): Html {
  if (commits.length === 0) {
    return html`<div class="empty"><h2>Nothing to compare</h2><p>${
      isSame ? `${from} and ${to} are the same commit.` : `${from} has all commits of ${to}.`
    }</p></div>`;
  }
  const newest = commits.toReversed().slice(0, mostCommits);
  const left = commits.length - newest.length;
  return html`<h2>${commits.length} ${commits.length === 1 ? 'commit' : 'commits'}</h2>
${entries(
  newest.map((commit) => commitLine(visit, project, commit)),
  '',
)}
${left > 0 && html`<p class="quiet">${left} older ${left === 1 ? 'commit is' : 'commits are'} not shown.</p>`}`;
}
