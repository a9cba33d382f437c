import { graphqlClientOf } from './graphql.ts';
import type { TestUser } from './seed.ts';
import { visitorAt } from './visitor.ts';
import type { World } from './world.ts';

/** What of a repository the views show. */
interface Viewed {
  /** The number and the full path of the project. */
  readonly id: number;
  readonly fullPath: string;
  readonly viewer: TestUser;
  /** Commits, branches and tags, each of which is shown on its own. */
  readonly commits?: readonly string[];
  readonly branches?: readonly string[];
  readonly tags?: readonly string[];
  /** Files of the default branch. */
  readonly files?: readonly string[];
  /** Merge requests. */
  readonly iids?: readonly number[];
}

const signature = '{ name email date user { username } }';

/** One document for each list, because all together cost more than a document may. */
const lists: readonly string[] = [
  `repository { branches(perPage: 50) { total nodes { name commit { sha title message author ${signature} } } } }`,
  'repository { branches(perPage: 50) { nodes { name isMerged } } }',
  `repository { tags(perPage: 50) { total nodes { name message commit { sha title author ${signature} } } } }`,
  `repository { commits(perPage: 50) { total nodes { sha title message author ${signature} } } }`,
  'repository { contributors { total nodes { name email commitCount } } languages { name } }',
  `repository { tree(ref: "master", perPage: 20) { nodes { name path mode type lastCommit { sha title author ${signature} } } } }`,
  `mergeRequests { nodes { iid commits { nodes { sha title author ${signature} } } } }`,
  `pipelines(perPage: 20) { nodes { sha commit { sha title author ${signature} } } }`,
  'events(perPage: 50) { nodes { push { commitTitle } } }',
];

const single: readonly string[] = [
  `repository { commit(ref: $commit) { sha title message author ${signature} committer ${signature}
     parents { sha } stats { total } mergeRequests { nodes { iid } } } }`,
  'repository { commit(ref: $commit) { diffs { oldPath newPath } } }',
  `repository { compare(from: $commit, to: "master") { commits { sha title author ${signature} } } }`,
];

const encoded = encodeURIComponent;

/**
 * Requests every list and page that shows records of a repository, by REST, GraphQL and as pages;
 * gives those that did not succeed.
 */
export async function failedViews(
  { as, url }: Pick<World, 'as' | 'url'>,
  { id, fullPath, viewer, commits = [], branches = [], tags = [], files = [], iids = [] }: Viewed,
): Promise<readonly string[]> {
  const repository = `/projects/${id}/repository`;
  const [first = 'master', last = 'master'] = [commits[0], commits.at(-1)];
  const rest = [
    `/projects/${id}`,
    `/projects/${id}?statistics=true`,
    `/projects/${id}/events`,
    `/projects/${id}/languages`,
    `/projects/${id}/pipelines`,
    `/projects/${id}/jobs`,
    `/projects/${id}/merge_requests`,
    `/projects/${id}/releases`,
    `/projects/${id}/search?scope=blobs&search=text`,
    `/projects/${id}/search?scope=commits&search=labelled`,
    `${repository}/commits?per_page=100`,
    `${repository}/commits?per_page=100&all=true`,
    `${repository}/branches?per_page=100`,
    `${repository}/tags?per_page=100`,
    `${repository}/tree?per_page=100`,
    `${repository}/tree?per_page=100&recursive=true`,
    `${repository}/contributors`,
    `${repository}/archive`,
    `${repository}/compare?from=${first}&to=${last}`,
    ...commits.flatMap((sha) => [
      `${repository}/commits/${sha}?stats=true`,
      `${repository}/commits/${sha}/diff`,
      `${repository}/commits/${sha}/refs`,
      `${repository}/commits/${sha}/merge_requests`,
      `${repository}/commits/${sha}/statuses`,
      `${repository}/commits/${sha}/comments`,
    ]),
    ...branches.map((name) => `${repository}/branches/${encoded(name)}`),
    ...tags.map((name) => `${repository}/tags/${encoded(name)}`),
    ...files.flatMap((path) => [
      `${repository}/files/${encoded(path)}?ref=master`,
      `${repository}/files/${encoded(path)}/blame?ref=master`,
      `${repository}/files/${encoded(path)}/raw?ref=master`,
    ]),
    ...iids.flatMap((iid) => [
      `/projects/${id}/merge_requests/${iid}`,
      `/projects/${id}/merge_requests/${iid}/commits`,
      `/projects/${id}/merge_requests/${iid}/changes`,
      `/projects/${id}/merge_requests/${iid}/versions`,
      `/projects/${id}/merge_requests/${iid}/notes`,
      `/projects/${id}/merge_requests/${iid}/participants`,
    ]),
  ];
  const pages = [
    '',
    '/commits/master',
    '/branches',
    '/tags',
    '/releases',
    '/tree/master',
    '/find_file/master',
    '/merge_requests',
    '/pipelines',
    `/compare/${first}...${last}`,
    ...commits.flatMap((sha) => [`/commit/${sha}`, `/commit/${sha}.patch`, `/tree/${sha}`]),
    ...files.flatMap((path) => [
      `/blob/master/${encoded(path)}`,
      `/blame/master/${encoded(path)}`,
      `/commits/master/${encoded(path)}`,
    ]),
    ...iids.flatMap((iid) => [
      `/merge_requests/${iid}`,
      `/merge_requests/${iid}/commits`,
      `/merge_requests/${iid}/diffs`,
    ]),
  ];
  const failed: string[] = [];
  for (const path of rest) {
    const { status } = await as(viewer).get(path);
    if (status !== 200) failed.push(`GET ${path}: ${status}`);
  }
  const visitor = visitorAt(url);
  await visitor.signIn(viewer);
  for (const path of pages) {
    const { status } = await visitor.get(`/${fullPath}${path}`);
    if (status !== 200) failed.push(`page ${path}: ${status}`);
  }
  const graphql = graphqlClientOf(url);
  const query = async (fields: string, commit: string) => {
    const document = `query ($id: ID!, $commit: String!) { project(id: $id) { ${fields}
      repository { commit(ref: $commit) { sha } } } }`;
    const { body } = await graphql(viewer, document, { id: fullPath, commit });
    if (body.errors)
      failed.push(`graphql ${fields} ${commit}: ${JSON.stringify(body.errors).slice(0, 300)}`);
  };
  for (const fields of lists) await query(fields, 'master');
  for (const commit of commits) for (const fields of single) await query(fields, commit);
  return failed.slice(0, mostReported);
}

/** A fault of all views should not fill the output. */
const mostReported = 20;
