import { Prisma, type Transaction } from '../../prisma/client.ts';

/** The open merge requests whose head the pipeline tests, with an author who is active. */
const tested = (pipelineId: number): Prisma.Sql => Prisma.sql`
  SELECT merge_requests.id, merge_requests.project_id, merge_requests.author_id
  FROM pipelines
  JOIN merge_requests ON merge_requests.source_project_id = pipelines.project_id
    AND merge_requests.source_branch = pipelines.ref AND merge_requests.state = 'opened'
    AND merge_requests.sha = pipelines.sha
  JOIN users ON users.id = merge_requests.author_id AND users.state = 'active'
  WHERE pipelines.id = ${pipelineId} AND NOT pipelines.is_tag`;

/**
 * Makes to-dos for the authors of the merge requests that a pipeline tested and that failed, or marks
 * those of an earlier failure as done; in the transaction that changes its status.
 */
export async function recordBuild(
  tx: Transaction,
  pipelineId: number,
  status: string,
): Promise<void> {
  if (status === 'failed') {
    await tx.$executeRaw`
      INSERT INTO todos (user_id, author_id, project_id, merge_request_id, action, updated_at)
      SELECT author_id, author_id, project_id, id, 'build_failed', now()
      FROM (${tested(pipelineId)} FOR KEY SHARE OF merge_requests, users) failed
      ON CONFLICT DO NOTHING`;
  }
  if (status === 'success') {
    await tx.$executeRaw`
      UPDATE todos SET state = 'done', updated_at = now()
      FROM (${tested(pipelineId)}) mended
      WHERE todos.merge_request_id = mended.id AND todos.user_id = mended.author_id
        AND todos.state = 'pending' AND todos.action = 'build_failed'`;
  }
}
