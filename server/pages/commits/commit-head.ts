import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pipelineLink, pipelineLinkFields } from '../ci/ci.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { stateMark } from '../issuables/row.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { authorName, person, personFields } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';
import { plain } from '../markdown/markdown.ts';

export const commitHeadFields = graphql(
  `fragment CommitHeadFields on Commit {
    id title message parentIds
    author { name at user { ...PersonFields } } committer { name at user { ...PersonFields } }
    lastPipeline { ...PipelineLinkFields }
    mergeRequests(perPage: 5) { nodes { iid title state } }
  }`,
  [personFields, pipelineLinkFields],
);

type CommitHead = ResultOf<typeof commitHeadFields>;

const signature = (visit: Visit, { user, name, at }: CommitHead['author']): Html =>
  html`${user ? person(visit, user) : authorName(name)}, ${when(at)}`;

/** What a commit page shows before the changes: message, people, parents, and what has the commit. */
export function commitHead(visit: Visit, project: Project, commit: CommitHead): Html {
  const { id, title, message, parentIds, author, committer, lastPipeline, mergeRequests } = commit;
  const isSame = author.name === committer.name && author.at === committer.at;
  const at = (...parts: readonly string[]) => addressIn(visit, project, 'commit', ...parts);
  const refs = at(id, 'branches');
  return html`${message.trim() !== title && plain(bodyOf(message, title))}
<dl class="traits">
<dt>Commit</dt><dd class="row"><code data-copy="the commit id">${id}</code></dd>
<dt>Author</dt><dd>${signature(visit, author)}</dd>
${!isSame && html`<dt>Committer</dt><dd>${signature(visit, committer)}</dd>`}
${parentIds.length > 0 && html`<dt>${parentIds.length === 1 ? 'Parent' : 'Parents'}</dt><dd>${parentIds.map((sha) => html` <a href="${at(sha)}"><code>${sha.slice(0, 8)}</code></a>`)}</dd>`}
${lastPipeline && html`<dt>Pipeline</dt><dd>${pipelineLink(visit, lastPipeline)}</dd>`}
${mergeRequests.nodes.length > 0 && html`<dt>Merge requests</dt><dd>${mergeRequests.nodes.map(({ iid, title: name, state }) => html`<a href="${addressIn(visit, project, 'merge_requests', String(iid))}">!${iid} ${name}</a> ${stateMark('merge_requests', state)} `)}</dd>`}
</dl>
<details data-load="${refs}?fragment=1"><summary>Branches and tags with this commit</summary>
<p><a href="${refs}">Show the branches and tags</a></p></details>`;
}

/** The message without its title, which the page shows above. */
const bodyOf = (message: string, title: string): string =>
  message.startsWith(`${title}\n`) ? message.slice(title.length).trim() : message.trimEnd();
