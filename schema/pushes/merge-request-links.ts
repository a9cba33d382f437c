import { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { allOf } from '../kernel/sql.ts';
import { visibleMergeRequests } from '../merge-requests/visible.ts';
import type { SettledPush } from '../repository/settle.ts';
import { viewerOf } from '../sessions/viewer.ts';

type Parts = Pick<Context, 'db' | 'baseUrl'>;

/** At most this many branches of a push are mentioned. */
const mostBranches = 10;

const mostMergeRequests = 100;

/**
 * Lines with the address of the merge request of each pushed branch, or of the page that creates
 * it. `isOfUser`: the pusher may see what the user of the push may see.
 */
export async function mergeRequestLinks(
  { project, userId, branches }: SettledPush,
  { isOfUser }: { readonly isOfUser: boolean },
  parts: Parts,
): Promise<readonly string[]> {
  const { defaultBranch, mergeRequestsEnabled } = project;
  if (!mergeRequestsEnabled || defaultBranch === null) return [];
  const mentioned = branches.filter((branch) => branch !== defaultBranch).slice(0, mostBranches);
  if (mentioned.length === 0) return [];
  const viewerId = isOfUser ? userId : null;
  const addresses = await addressesOf(project, mentioned, viewerId, parts);
  const lines = mentioned.flatMap((branch) => {
    const address = addresses.get(branch);
    return address
      ? [`View merge request for ${branch}:`, `  ${address}`, '']
      : [
          `To create a merge request for ${branch}, visit:`,
          `  ${newAddress(project, branch, parts)}`,
          '',
        ];
  });
  return ['', ...lines];
}

const newAddress = (
  { fullPath }: SettledPush['project'],
  branch: string,
  { baseUrl }: Parts,
): string => {
  const query = new URLSearchParams({ 'merge_request[source_branch]': branch.toWellFormed() });
  return `${baseUrl}/${fullPath}/merge_requests/new?${query}`;
};

/** The addresses of open merge requests by their source branch, preferring those into the project itself. */
async function addressesOf(
  { id: projectId }: SettledPush['project'],
  branches: readonly string[],
  viewerId: number | null,
  { db, baseUrl }: Parts,
): Promise<ReadonlyMap<string, string>> {
  const isOwn = Prisma.sql`(project_id = ${projectId})`;
  const open = await db.$queryRaw<OpenMergeRequest[]>`
    SELECT merge_requests.id, iid, source_branch AS branch, full_path AS "fullPath",
      ${isOwn} AS "isOwn"
    FROM merge_requests JOIN projects ON projects.id = project_id
    WHERE source_project_id = ${projectId} AND source_branch = ANY(${branches})
      AND state = 'opened' AND NOT is_removed AND merge_requests_enabled
    ORDER BY ${isOwn} DESC, merge_requests.id DESC LIMIT ${mostMergeRequests}`;
  const foreign = open.flatMap(({ id, isOwn }) => (isOwn ? [] : [id]));
  const visible = await visibleAmong(foreign, viewerId, db);
  const addresses = new Map<string, string>();
  for (const { id, iid, branch, fullPath, isOwn } of open) {
    if (addresses.has(branch) || !(isOwn || visible.has(id))) continue;
    addresses.set(branch, `${baseUrl}/${fullPath}/merge_requests/${iid}`);
  }
  return addresses;
}

interface OpenMergeRequest {
  readonly id: number;
  readonly iid: number;
  readonly branch: string;
  readonly fullPath: string;
  readonly isOwn: boolean;
}

/** Those into other projects that a user may see. */
async function visibleAmong(
  ids: readonly number[],
  userId: number | null,
  db: Parts['db'],
): Promise<ReadonlySet<number>> {
  const viewer = ids.length > 0 && userId !== null ? await viewerOf(db, userId) : null;
  if (!viewer) return new Set();
  const visible = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM merge_requests
    WHERE id = ANY(${ids}) AND ${allOf(visibleMergeRequests(viewer))}`;
  return new Set(visible.map(({ id }) => id));
}
