import type { Transaction } from '../../prisma/client.ts';

/** More are not kept: the oldest version is deleted, and its commits with a later housekeeping. */
export const mostVersions = 100;

interface NewVersion {
  /** The id of the merge request. */
  readonly id: number;
  /** The head until now. */
  readonly former: string | null;
  readonly headSha: string;
  /** The tip of the target branch; null if it is read later. */
  readonly startSha: string | null;
}

/**
 * Adds a version, in the transaction that changes the head or the target branch of a merge request
 * and has locked its row. What git has to compare is recorded later, by `recordVersions`.
 */
export async function addVersion(
  tx: Transaction,
  { id, former, headSha, startSha }: NewVersion,
): Promise<void> {
  if (former !== null) await addFirstVersion(tx, id, former);
  await tx.mergeRequestVersion.create({
    data: { mergeRequestId: id, headSha, startSha },
    select: { id: true },
  });
  await tx.$executeRaw`
    DELETE FROM merge_request_versions WHERE merge_request_id = ${id} AND id <= (
      SELECT id FROM merge_request_versions WHERE merge_request_id = ${id}
      ORDER BY id DESC OFFSET ${mostVersions} LIMIT 1)`;
}

/**
 * Adds the version of a merge request that has none, because it was imported or an earlier version of
 * Millrace created it. Lock its row before.
 */
export async function addFirstVersion(tx: Transaction, id: number, headSha: string): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO merge_request_versions (merge_request_id, head_sha, created_at)
    SELECT id, ${headSha}, created_at FROM merge_requests WHERE id = ${id}
      AND NOT EXISTS (SELECT 1 FROM merge_request_versions WHERE merge_request_id = ${id})`;
}
