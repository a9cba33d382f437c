import { graphql } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import { html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import { entries, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';

const refs = graphql(`
  query BrowsedCommitRefs($project: ID!, $sha: String!, $page: Int!, $perPage: Int!) {
    repository(project: $project) {
      commit(ref: $sha) { id refs(page: $page, perPage: $perPage) { total nodes { kind name } } }
    }
  }
`);

/** The branches and tags from which a commit can be reached; `?fragment=1` gives the list only. */
export async function showCommitRefs(visit: Visit, project: Project, sha: string): Promise<Answer> {
  const page = pageOf(visit);
  const variables = { project: String(project.id), sha, page, perPage };
  const { commit } = (await visit.ask(refs, variables)).repository;
  const { total, nodes } = commit.refs;
  const address = addressIn(visit, project, 'commit', commit.id, 'branches');
  const list = html`${entries(
    nodes.map(
      ({ kind, name }) =>
        html`${icon(kind === 'tag' ? 'tag' : 'git-branch')} <a href="${addressIn(visit, project, 'tree', name)}">${name}</a>`,
    ),
    'No branch or tag has this commit.',
  )}
${pager({ address, page, total })}`;
  if (visit.query.fragment === '1') return { fragment: list };
  const short = commit.id.slice(0, 8);
  const main = html`<h1>Branches and tags with <a href="${addressIn(visit, project, 'commit', commit.id)}"><code>${short}</code></a></h1>
${list}`;
  return projectPage(visit, project, 'commits', `Branches and tags with ${short}`, main);
}
