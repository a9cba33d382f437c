import type { Context } from '../kernel/context.ts';
import type { ProjectRepository } from './change-refs.ts';

/** The ids as one text: a project may have very many pipelines. */
const recordedCommits = async (
  projectId: number,
  { db }: Pick<Context, 'db'>,
): Promise<string[]> => {
  const [row] = await db.$queryRaw<{ ids: string | null }[]>`
    SELECT string_agg(sha, ' ') AS ids FROM (
      SELECT sha FROM pipelines WHERE project_id = ${projectId}
      UNION SELECT before_sha FROM pipelines WHERE project_id = ${projectId}
      UNION SELECT sha FROM commit_comments WHERE project_id = ${projectId}
      UNION SELECT sha FROM commit_statuses WHERE project_id = ${projectId}
      UNION SELECT sha FROM deployments WHERE project_id = ${projectId}
      UNION SELECT unnest(ARRAY[sha, base_sha, merge_commit_sha])
        FROM merge_requests WHERE project_id = ${projectId}
      UNION SELECT unnest(ARRAY[version.head_sha, version.start_sha, version.base_sha])
        FROM merge_request_versions AS version
        JOIN merge_requests AS request ON request.id = version.merge_request_id
        WHERE request.project_id = ${projectId}
      UNION SELECT unnest(ARRAY[position.base_sha, position.start_sha, position.head_sha])
        FROM diff_positions AS position
        JOIN notes AS note ON note.id = position.note_id
        JOIN merge_requests AS request ON request.id = note.merge_request_id
        WHERE request.project_id = ${projectId}
      UNION SELECT unnest(ARRAY[position.base_sha, position.start_sha, position.head_sha])
        FROM diff_positions AS position
        JOIN commit_comments AS comment ON comment.id = position.comment_id
        WHERE comment.project_id = ${projectId}
    ) AS recorded
    WHERE sha ~ '^[0-9a-f]{40}$' AND sha <> repeat('0', 40)`;
  return row?.ids?.split(' ') ?? [];
};

/**
 * Keeps the commits that records of a project refer to, such as pipelines and comments, though no branch,
 * tag or merge request leads to them any more.
 */
export const keepRecordedCommits = async (
  repository: ProjectRepository,
  { db, git }: Pick<Context, 'db' | 'git'>,
): Promise<void> => git.keepCommits(repository, await recordedCommits(repository.id, { db }));
