import type { z } from 'zod';
import type { Paging } from '../../schema/client/operation.ts';
import { camelCased } from '../kernel/case.ts';
import { filterList, p, timeOrder } from '../kernel/params.ts';

/** The parameters that listings of issues and of merge requests share. */
const issuableListingParams = {
  labels: p.list().optional(),
  milestone: p.text().optional(),
  iids: filterList(p.intList()),
  search: p.text().optional(),
  author_id: p.id().optional(),
  /** 0: no assignee; ids beyond the column's range must not become 0. */
  assignee_id: p.int().optional(),
  my_reaction_emoji: p.text().optional(),
  created_after: p.time().optional(),
  created_before: p.time().optional(),
  updated_after: p.time().optional(),
  updated_before: p.time().optional(),
  /** By their old and new spellings. */
  scope: p
    .mapped({
      'created-by-me': 'createdByMe',
      created_by_me: 'createdByMe',
      'assigned-to-me': 'assignedToMe',
      assigned_to_me: 'assignedToMe',
      all: 'all',
    } as const)
    .optional(),
  order_by: timeOrder,
  sort: p.choice(['asc', 'desc']).optional(),
};

/** The state filter: `all` means none. */
const state = { opened: 'opened', closed: 'closed', all: undefined } as const;

/** The parameters of every listing of issues (v4-behaviour 3.3). */
export const issueListingParams = { ...issuableListingParams, state: p.mapped(state).optional() };

/** The parameters of every listing of merge requests (v4-behaviour 3.4). */
export const mergeRequestListingParams = {
  ...issuableListingParams,
  state: p.mapped({ ...state, locked: 'locked', merged: 'merged' } as const).optional(),
  source_branch: p.text().optional(),
  target_branch: p.text().optional(),
  view: p.choice(['simple']).optional(),
};

type Params = z.output<z.ZodObject<typeof issuableListingParams>> &
  Paging & { readonly view?: 'simple' | undefined };

/** The variables of a listing of issues or of merge requests, `scope` if none is given. */
export function issuableListing<Input extends Params>(input: Input, scope: 'createdByMe' | 'all') {
  const {
    page,
    perPage,
    order_by,
    sort,
    view: _,
    my_reaction_emoji: myReaction,
    ...others
  } = input;
  const { labels, milestone, assignee_id: assignee, ...rest } = others;
  const filter = {
    ...camelCased(rest),
    ...ofLabels(labels),
    ...ofMilestone(milestone),
    ...(assignee === 0 ? { hasAssignee: false } : { assigneeId: assignee }),
    myReaction,
    scope: input.scope ?? scope,
  };
  return { page, perPage, order_by, sort, filter };
}

// v4 says by the values of a filter that there is none or any (v4-behaviour 3.3)
const isNoLabel = (name: string) => name.toLowerCase() === 'no label';

const ofLabels = (labels: readonly string[] | undefined) =>
  labels?.some(isNoLabel)
    ? { hasLabels: false, labels: labels.filter((name) => !isNoLabel(name)) }
    : { labels };

function ofMilestone(title: string | undefined) {
  const text = title?.toLowerCase();
  if (text === 'no milestone') return { hasMilestone: false };
  return text === 'any milestone' ? { hasMilestone: true } : { milestoneTitle: title };
}
