import type { GraphQLResolveInfo } from 'graphql';
import { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { allOf } from '../kernel/sql.ts';
import { pageOfRecords } from '../listing/records.ts';
import { current } from './current.ts';
import { findMergeRequestProject } from './find.ts';
import type { MergeRequestRecord } from './types.ts';
import { mergeRequestsIn } from './visible.ts';

/** What a document selects of a merge request. */
interface Selection {
  /** Prisma's selection. */
  readonly query: object;
  readonly info: GraphQLResolveInfo;
}

/**
 * The merge request `iid` of a project as its branches are at this moment. Throws unless the viewer
 * may see it.
 */
export async function showMergeRequest(
  ref: string,
  iid: number,
  ctx: Context,
  { query, info }: Selection,
) {
  const project = await findMergeRequestProject(ref, ctx);
  const page = pageOfRecords<MergeRequestRecord>(ctx, {
    table: 'merge_requests',
    where: allOf([...mergeRequestsIn(project), Prisma.sql`iid = ${iid}`]),
    column: 'id',
    direction: 'asc',
    page: { perPage: 1 },
  });
  const [mergeRequest] = await page.nodes(query, info, { isWhole: true });
  if (!mergeRequest) throw recordNotFound();
  return current(mergeRequest, project, ctx, ctx.request.signal);
}
