import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { issue, issueFields } from './entities/issue.ts';
import { mergeRequest, mergeRequestFields } from './entities/merge-request.ts';
import { milestone, milestoneFields } from './entities/milestone.ts';
import { forSources, type SourceParent } from './entities/source.ts';
import { filterList, p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { atLeastOne } from './kernel/rules.ts';

const list = graphql(
  `query Milestones(
    $source: GroupOrProject!, $state: MilestoneState, $iids: [Int!], $title: String, $search: String,
    $page: Int, $perPage: Int
  ) {
    page: milestones(
      source: $source, filter: { state: $state, iids: $iids, title: $title, search: $search }
      page: $page, perPage: $perPage
    ) { total nodes { ...MilestoneFields } }
  }`,
  [milestoneFields],
);

const show = graphql(
  `query Milestone($source: GroupOrProject!, $milestone_id: Int!) {
    result: milestone(source: $source, id: $milestone_id) { ...MilestoneFields }
  }`,
  [milestoneFields],
);

const create = graphql(
  `mutation CreateMilestone(
    $source: GroupOrProject!, $title: String!, $description: String, $start_date: Date, $due_date: Date
  ) {
    result: createMilestone(
      source: $source, title: $title, description: $description,
      startDate: $start_date, dueDate: $due_date
    ) { ...MilestoneFields }
  }`,
  [milestoneFields],
);

const update = graphql(
  `mutation UpdateMilestone(
    $source: GroupOrProject!, $milestone_id: Int!, $title: String, $description: String,
    $start_date: Date, $due_date: Date, $state_event: StateEvent
  ) {
    result: updateMilestone(
      source: $source, id: $milestone_id, title: $title, description: $description,
      startDate: $start_date, dueDate: $due_date, stateEvent: $state_event
    ) { ...MilestoneFields }
  }`,
  [milestoneFields],
);

const remove = graphql(
  `mutation DeleteMilestone($source: GroupOrProject!, $milestone_id: Int!) {
    deleteMilestone(source: $source, id: $milestone_id)
  }`,
);

const issues = graphql(
  `query MilestoneIssues($source: GroupOrProject!, $milestone_id: Int!, $page: Int, $perPage: Int) {
    page: milestoneIssues(source: $source, id: $milestone_id, page: $page, perPage: $perPage) {
      total nodes { ...IssueFields }
    }
  }`,
  [issueFields],
);

const mergeRequests = graphql(
  `query MilestoneMergeRequests(
    $source: GroupOrProject!, $milestone_id: Int!, $page: Int, $perPage: Int
  ) {
    page: milestoneMergeRequests(source: $source, id: $milestone_id, page: $page, perPage: $perPage) {
      total nodes { ...MergeRequestFields }
    }
  }`,
  [mergeRequestFields],
);

/** Null or '' clears a date. */
const details = {
  description: p.orNone(p.text()).optional(),
  due_date: p.orNone(p.date()).optional(),
  start_date: p.orNone(p.date()).optional(),
};

const milestoneParams = { ...ref, milestone_id: p.id() };

/**
 * Milestones of projects and of groups: the same routes below another parent (v4-behaviour 3.9).
 */
function milestoneRoutes({ path, variables }: SourceParent) {
  const all = { access: 'signed in', path: `${path}/milestones` } as const;
  const single = { access: 'signed in', path: `${path}/milestones/:milestone_id` } as const;
  return [
    route({
      ...all,
      method: 'get',
      params: z.object({
        ...ref,
        state: p.choice(['active', 'closed']).optional(),
        iids: filterList(p.intList()),
        title: p.text().optional(),
        search: p.text().optional(),
      }),
      document: list,
      variables,
      reshape: milestone,
    }),
    route({
      ...single,
      method: 'get',
      params: z.object(milestoneParams),
      document: show,
      variables,
      reshape: milestone,
    }),
    route({
      ...all,
      method: 'post',
      params: z.object({ ...ref, title: p.text(), ...details }),
      document: create,
      variables,
      reshape: milestone,
    }),
    route({
      ...single,
      method: 'put',
      params: atLeastOne(
        z.object({
          ...milestoneParams,
          ...details,
          title: p.text().optional(),
          state_event: p.mapped({ close: 'close', activate: 'reopen' } as const).optional(),
        }),
        'title',
        'description',
        'due_date',
        'start_date',
        'state_event',
      ),
      document: update,
      variables,
      reshape: milestone,
    }),
    route({
      ...single,
      method: 'delete',
      params: z.object(milestoneParams),
      document: remove,
      variables,
    }),
    route({
      access: 'signed in',
      path: `${single.path}/issues`,
      method: 'get',
      params: z.object(milestoneParams),
      document: issues,
      variables,
      reshape: issue,
    }),
    route({
      access: 'signed in',
      path: `${single.path}/merge_requests`,
      method: 'get',
      params: z.object(milestoneParams),
      document: mergeRequests,
      variables,
      reshape: mergeRequest,
    }),
  ];
}

export const milestones = forSources(milestoneRoutes);
