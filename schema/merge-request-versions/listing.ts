import type { Context } from '../kernel/context.ts';
import { allOf } from '../kernel/sql.ts';
import { belongsTo } from '../listing/listing.ts';
import type { Page, PageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import type { MergeRequestVersion } from './types.ts';

/** A page of the versions of a merge request, the newest first. */
export const listVersions = (
  mergeRequestId: number,
  page: PageArgs,
  ctx: Pick<Context, 'db' | 'viewer'>,
): Page<typeof MergeRequestVersion.$inferType> =>
  pageOfRecords(ctx, {
    table: 'merge_request_versions',
    parent: belongsTo('merge_request_id', mergeRequestId),
    where: allOf([]),
    column: 'id',
    direction: 'desc',
    page,
  });
