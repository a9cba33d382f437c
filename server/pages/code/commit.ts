import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { pipelineLink, pipelineLinkFields } from '../ci/ci.ts';
import { addressIn } from '../frame/address-in.ts';
import { projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { html } from '../kernel/html.ts';
import { when } from '../kernel/times.ts';
import { plain } from '../markdown/markdown.ts';
import { changes, diffFields } from './diff.ts';

const commitDocument = graphql(
  `query BrowsedCommit($project: ID!, $sha: String!) {
    repository(project: $project) {
      commit(ref: $sha) {
        id title message parentIds author { name at } committer { name at }
        lastPipeline { ...PipelineLinkFields }
        diffs { ...BrowsedDiffFields }
      }
    }
  }`,
  [diffFields, pipelineLinkFields],
);

/** One commit: its message, and the changes since its first parent. */
export const showCommit: ProjectPage = async (visit, project, rest) => {
  if (!/^[0-9a-f]{4,40}$/i.test(rest)) throw pathNotFound();
  const variables = { project: String(project.id), sha: rest };
  const { commit } = (await visit.ask(commitDocument, variables)).repository;
  const { id, title, message, parentIds, author, committer, lastPipeline, diffs } = commit;
  const isSame = author.name === committer.name && author.at === committer.at;
  const link = (sha: string) =>
    html` <a href="${addressIn(visit, project, 'commit', sha)}"><code>${sha.slice(0, 8)}</code></a>`;
  const main = html`<h1>${title}</h1>
<dl class="traits">
<dt>Commit</dt><dd><code>${id}</code></dd>
<dt>Author</dt><dd>${author.name}, ${when(author.at)}</dd>
${!isSame && html`<dt>Committer</dt><dd>${committer.name}, ${when(committer.at)}</dd>`}
${parentIds.length > 0 && html`<dt>${parentIds.length === 1 ? 'Parent' : 'Parents'}</dt><dd>${parentIds.map(link)}</dd>`}
${lastPipeline && html`<dt>Pipeline</dt><dd>${pipelineLink(visit, lastPipeline)}</dd>`}
</dl>
${message.trim() !== title && plain(message.trimEnd())}
<p><a href="${addressIn(visit, project, 'tree', id)}">Files at this commit</a></p>
${changes(diffs)}`;
  return projectPage(visit, project, 'commits', title, main);
};
