import { graphql } from '../../../schema/client/graphql.ts';
import { refField, refNames, suggestions } from '../code/ref-field.ts';
import { changes, changesFragment } from '../diffs/changes.ts';
import { isParallel } from '../diffs/compared.ts';
import { addressIn, newMergeRequestAddress } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';
import { comparedCommits, compareRefs, type Refs } from './comparison.ts';

const openRequests = graphql(`
  query ComparedMergeRequest($project: ID!, $filter: MergeRequestFilter!) {
    projectMergeRequests(project: $project, filter: $filter, perPage: 1) { nodes { iid title } }
  }
`);

/** The form for two refs; with `<from>...<to>` their comparison. */
export const showCompare: ProjectPage = (visit, project, rest) => {
  const { from = '', to = '' } = visit.query;
  if (rest === '' && from !== '' && to !== '') {
    return { redirect: addressIn(visit, project, 'compare', `${from}...${to}`) };
  }
  const place = rest.indexOf('...');
  if (place <= 0 || rest.length === place + 3) {
    const chosen = { from: from || project.defaultBranch || '', to: to || rest };
    return page(visit, project, chosen, null);
  }
  return showComparison(visit, project, { from: rest.slice(0, place), to: rest.slice(place + 3) });
};

async function page(
  visit: Visit,
  project: Project,
  refs: Refs,
  content: Html | null,
  status = 200,
): Promise<Answer> {
  const { branches, tags } = await refNames(visit, project);
  const address = addressIn(visit, project, 'compare');
  const swapped = addressIn(visit, project, 'compare', `${refs.to}...${refs.from}`);
  const main = html`<h1>Compare</h1>
<form method="get" action="${address}" class="filters">${suggestions('refs', [...branches, ...tags])}
${refField({ name: 'from', label: 'Base', value: refs.from, list: 'refs' })}
${refField({ name: 'to', label: 'Compare', value: refs.to, list: 'refs' })}
<button>Compare</button>${content && html` <a class="button secondary" href="${swapped}">${icon('sync')}Swap</a>`}
</form>
${content ?? html`<p class="quiet">Choose two branches, tags or commits to see what the second one adds.</p>`}`;
  const title = content ? `${refs.from}...${refs.to}` : 'Compare';
  const shown = projectPage(visit, project, 'compare', title, main);
  return { ...shown, isWide: isParallel(visit), status };
}

async function showComparison(visit: Visit, project: Project, refs: Refs): Promise<Answer> {
  const comparison = await compareRefs(visit, project, refs);
  if (!comparison) {
    const text = 'One of them does not exist: enter a branch, a tag or a commit id.';
    return page(visit, project, refs, alert(text), 404);
  }
  const { compared, commits, base } = comparison;
  const fragment = await changesFragment(visit, project, compared);
  if (fragment) return fragment;
  const content = html`${await mergeRequestOf(visit, project, refs, commits.length > 0)}
<p class="quiet">${
    base
      ? html`Merge base: <a href="${addressIn(visit, project, 'commit', base.id)}"><code>${base.id.slice(0, 8)}</code> ${base.title}</a>`
      : 'They have no common commit.'
  }</p>
${comparedCommits(visit, project, comparison, refs)}
${commits.length > 0 && (await changes(visit, project, compared))}`;
  return page(visit, project, refs, content);
}

/** The open merge request between both branches, or a link to create one. */
async function mergeRequestOf(
  visit: Visit,
  project: Project,
  { from, to }: Refs,
  hasCommits: boolean,
): Promise<Html | null> {
  if (!project.mergeRequestsEnabled || !hasCommits) return null;
  const filter = { state: 'opened', sourceBranch: to, targetBranch: from } as const;
  const variables = { project: String(project.id), filter };
  const [open] = (await visit.ask(openRequests, variables)).projectMergeRequests.nodes;
  if (open) {
    return html`<p><a href="${addressIn(visit, project, 'merge_requests', String(open.iid))}">${icon('git-pull-request')} !${open.iid} ${open.title}</a></p>`;
  }
  if (!visit.viewer || !project.access.canPush) return null;
  const address = newMergeRequestAddress(visit, project, { source: to, target: from });
  return html`<p><a class="button" href="${address}">${icon('git-pull-request')}Create merge request</a></p>`;
}
