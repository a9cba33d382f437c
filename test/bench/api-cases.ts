import { git } from '../support/git.ts';
import type { RequestCase } from './measure.ts';
import { rootToken } from './service.ts';
import type { World } from './world.ts';

const goal = { kind: 'least', value: 0.6 } as const;

/** How many different resources a case requests in turn. */
const variety = 16;

export const apiCaseNames = [
  ...['project', 'project-admin', 'projects', 'projects-admin', 'tree', 'raw'],
] as const;

/** Responses from the database and from a repository's objects, as JSON or raw. */
export async function apiCases({ service, twinUrl, users, big }: World): Promise<RequestCase[]> {
  const urls = [service.url, twinUrl] as const;
  const member = { 'Private-Token': users.member.token };
  const admin = { 'Private-Token': rootToken };
  const shared = { urls, goal };
  const projects = await projectIds(service.url, member);
  const blobs = await blobIds(big.folder);
  const pages = [1, 2, 3, 4].map((page) => `/api/v4/projects?page=${page}&per_page=20`);
  const code = `/api/v4/projects/${big.id}/repository`;
  const trees = [
    ...['', '?page=2', '?ref=master', '?path=folder-3', '?path=folder-25', '?path=folder-39'],
    ...['?path=folder-30%2Fpart-2&ref=master', '?per_page=100'],
  ];
  const requestsTo = (paths: readonly string[], headers: Readonly<Record<string, string>>) =>
    paths.map((path) => ({ path, headers }));
  const projectPaths = projects.map((id) => `/api/v4/projects/${id}`);
  return [
    { ...shared, name: 'project', requests: requestsTo(projectPaths, member) },
    { ...shared, name: 'project-admin', requests: requestsTo(projectPaths, admin) },
    { ...shared, name: 'projects', requests: requestsTo(pages, member) },
    { ...shared, name: 'projects-admin', requests: requestsTo(pages, admin) },
    {
      ...shared,
      name: 'tree',
      requests: requestsTo(
        trees.map((tree) => `${code}/tree${tree}`),
        member,
      ),
    },
    {
      ...shared,
      name: 'raw',
      requests: requestsTo(
        blobs.map((sha) => `${code}/blobs/${sha}/raw`),
        member,
      ),
    },
  ];
}

async function projectIds(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<readonly number[]> {
  const response = await fetch(`${url}/api/v4/projects?per_page=100&order_by=name`, { headers });
  const all = (await response.json()) as readonly { readonly id: number }[];
  return spread(all.map(({ id }) => id));
}

/** Object ids of a sample of a repository's files. */
export async function blobIds(folder: string): Promise<readonly string[]> {
  const lines = (await git(folder, 'ls-tree', '-r', '--full-tree', 'master')).split('\n');
  return spread(lines.map((line) => line.slice(12, 52)));
}

/** An evenly spread sample of `all`. */
const spread = <Item>(all: readonly Item[]): readonly Item[] =>
  all.filter((_, index) => index % Math.ceil(all.length / variety) === 0);
