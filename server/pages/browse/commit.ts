import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { html } from '../html.ts';
import { pipelineLink, pipelineLinkFields } from './ci.ts';
import { changes, diffFields } from './diff.ts';
import { when } from './listing.ts';
import { plain } from './markdown.ts';
import { addressIn, type ProjectPage, projectHead } from './project-head.ts';

const commit = graphql(
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
  const found = (await visit.ask(commit, variables)).repository.commit;
  const { id, title, message, parentIds, author, committer, lastPipeline, diffs } = found;
  const isSame = author.name === committer.name && author.at === committer.at;
  const link = (sha: string) =>
    html` <a href="${addressIn(visit, project, 'commit', sha)}"><code>${sha.slice(0, 8)}</code></a>`;
  return {
    title: `${title} · ${project.fullPath}`,
    main: html`${projectHead(visit, project, 'commits')}
<h1>${title}</h1>
<dl class="traits">
<dt>Commit</dt><dd><code>${id}</code></dd>
<dt>Author</dt><dd>${author.name}, ${when(author.at)}</dd>
${!isSame && html`<dt>Committer</dt><dd>${committer.name}, ${when(committer.at)}</dd>`}
${parentIds.length > 0 && html`<dt>${parentIds.length === 1 ? 'Parent' : 'Parents'}</dt><dd>${parentIds.map(link)}</dd>`}
${lastPipeline && html`<dt>Pipeline</dt><dd>${pipelineLink(visit, lastPipeline)}</dd>`}
</dl>
${message.trim() !== title && plain(message.trimEnd())}
<p><a href="${addressIn(visit, project, 'tree', id)}">Files at this commit</a></p>
${changes(diffs)}`,
  };
};
