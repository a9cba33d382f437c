import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { inGroup, inProject, type Owner } from '../frame/owner.ts';
import { field } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import { entries, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { actionForm, emptyState } from '../kernel/parts.ts';
import { labelledIn, labelMark } from './label-mark.ts';
import { canAdministerLabels } from './label-rights.ts';
import { showLabelForm, submitToLabels } from './write-label.ts';

const list = graphql(`query LabelList(
  $source: GroupOrProject!, $search: String, $page: Int!, $perPage: Int!
) {
  labels(source: $source, filter: { search: $search }, page: $page, perPage: $perPage) {
    total
    nodes {
      id name color description isSubscribed openIssuesCount openMergeRequestsCount
      project { fullPath } group { fullPath }
    }
  }
}`);

type Label = ResultOf<typeof list>['labels']['nodes'][number];

async function showLabels(visit: Visit, owner: Owner, rest: string): Promise<Answer> {
  return rest === '' ? showList(visit, owner) : showLabelForm(visit, owner, rest);
}

async function showList(visit: Visit, owner: Owner): Promise<Answer> {
  const page = pageOf(visit);
  const search = (visit.query.search ?? '').trim().slice(0, 255).toWellFormed();
  const variables = { source: owner.source, search: search || null, page, perPage };
  const { total, nodes } = (await visit.ask(list, variables)).labels;
  const canAdminister = await canAdministerLabels(visit, owner);
  const address = owner.address(visit, 'labels');
  const create =
    canAdminister &&
    html`<a class="button small primary" href="${address}/new">${icon('plus')}New label</a>`;
  const rows = nodes.map((label) => rowOf(visit, owner, label, canAdminister));
  const content =
    total === 0 && search === ''
      ? emptyState(
          'There are no labels yet',
          'Labels sort issues and merge requests by their kind, urgency or area.',
          create || null,
        )
      : html`<form method="get" action="${address}" class="filters" role="search" aria-label="Labels">
${field({ name: 'search', label: 'Name', type: 'search', value: search })}
<button class="secondary">Search</button></form>
${entries(rows, 'No labels match your search.')}
${pager({ address, page, total, query: search === '' ? {} : { search } })}`;
  const main = html`<div class="bar"><h1>Labels</h1>${total > 0 && create}</div>${content}`;
  return owner.page(visit, 'labels', 'Labels', main);
}

const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;

function rowOf(visit: Visit, owner: Owner, label: Label, canAdminister: boolean): Html {
  const { id, name, description, isSubscribed, openIssuesCount, openMergeRequestsCount } = label;
  const home = label.project ?? label.group;
  const isOwn = home?.fullPath === owner.fullPath;
  const address = owner.address(visit, 'labels', String(id));
  const issues = labelledIn(owner.address(visit, 'issues'), name);
  const mergeRequests = labelledIn(owner.address(visit, 'merge_requests'), name);
  return html`<div class="bar"><div>${labelMark(label)}${
    !isOwn && home && html` <span class="badge">${home.fullPath}</span>`
  }${description && html`<p>${description}</p>`}
<p class="quiet"><a href="${issues}">${counted(openIssuesCount, 'open issue', 'open issues')}</a> ·
<a href="${mergeRequests}">${counted(openMergeRequestsCount, 'open merge request', 'open merge requests')}</a></p></div>
<div class="row">${actionForm(visit, {
    address: `${address}/${isSubscribed ? 'unsubscribe' : 'subscribe'}`,
    label: isSubscribed ? 'Unsubscribe' : 'Subscribe',
    about: `from ${name}`,
    look: 'small',
  })}${
    canAdminister &&
    isOwn &&
    html`<a class="button small secondary" href="${address}/edit" aria-label="Edit ${name}">${icon('pencil')}Edit</a>`
  }</div></div>`;
}

const section = { word: 'labels', show: showLabels, submit: submitToLabels };

export const labelSections = [inProject(section)];
export const groupLabelSections = [inGroup(section)];
