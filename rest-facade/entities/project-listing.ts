import { z } from 'zod';
import type { Viewer } from '../../schema/client/execute.ts';
import type { Paging } from '../../schema/client/operation.ts';
import { p } from '../kernel/params.ts';
import { attributePairs } from './custom-attributes.ts';

const orders = {
  id: 'id',
  name: 'name',
  path: 'path',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  last_activity_at: 'lastActivityAt',
} as const;

type Order = keyof typeof orders;

/** The parameters of every listing of projects (specification, GET /projects). */
export const projectListingParams = {
  archived: p.flag().optional(),
  visibility: p.choice(['private', 'internal', 'public']).optional(),
  order_by: p.choice(Object.keys(orders) as Order[]).optional(),
  sort: p.choice(['asc', 'desc']).optional(),
  search: p.text().optional(),
  simple: p.flag().optional(),
  owned: p.flag().optional(),
  membership: p.flag().optional(),
  starred: p.flag().optional(),
  with_issues_enabled: p.flag().optional(),
  with_merge_requests_enabled: p.flag().optional(),
  custom_attributes: p.hash().optional(),
  id_after: p.int().optional(),
  id_before: p.int().optional(),
};

const listing = z.object({ ...projectListingParams, statistics: p.flag().optional() });

type Listing = z.output<typeof listing> & Paging;

/** The variables of a listing of projects: anonymous users and `simple=true` get the short form. */
export const projectListing = (params: Listing, viewer: Viewer | null) => ({
  isFull: viewer !== null && !params.simple,
  withStatistics: viewer !== null && !params.simple && params.statistics === true,
  page: params.page,
  perPage: params.perPage,
  orderBy: orders[params.order_by ?? 'created_at'],
  sort: params.sort ?? ('desc' as const),
  filter: {
    archived: params.archived ? ('only' as const) : ('exclude' as const),
    visibility: params.visibility,
    search: params.search,
    // `false` does not filter
    isOwned: params.owned || undefined,
    isMember: params.membership || undefined,
    isStarred: params.starred || undefined,
    issuesEnabled: params.with_issues_enabled || undefined,
    mergeRequestsEnabled: params.with_merge_requests_enabled || undefined,
    customAttributes: attributePairs(params.custom_attributes),
    idAfter: params.id_after,
    idBefore: params.id_before,
  },
});
