import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { issue, issueFields } from './entities/issue.ts';
import { mergeRequest, mergeRequestFields } from './entities/merge-request.ts';
import { milestone, milestoneFields } from './entities/milestone.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { atLeastOne } from './kernel/rules.ts';

const list = graphql(
  `query Milestones(
    $source: GroupOrProject!, $state: MilestoneState, $iids: [Int!], $search: String,
    $page: Int, $perPage: Int
  ) {
    page: milestones(
      source: $source, state: $state, iids: $iids, search: $search, page: $page, perPage: $perPage
    ) { total nodes { ...MilestoneFields } }
  }`,
  [milestoneFields],
);

const show = graphql(
  `query Milestone($source: GroupOrProject!, $id: Int!) {
    result: milestone(source: $source, id: $id) { ...MilestoneFields }
  }`,
  [milestoneFields],
);

const create = graphql(
  `mutation CreateMilestone(
    $source: GroupOrProject!, $title: String!, $description: String, $startDate: Date, $dueDate: Date
  ) {
    result: createMilestone(
      source: $source, title: $title, description: $description,
      startDate: $startDate, dueDate: $dueDate
    ) { ...MilestoneFields }
  }`,
  [milestoneFields],
);

const update = graphql(
  `mutation UpdateMilestone(
    $source: GroupOrProject!, $id: Int!, $title: String, $description: String,
    $startDate: Date, $dueDate: Date, $state: MilestoneState
  ) {
    result: updateMilestone(
      source: $source, id: $id, title: $title, description: $description,
      startDate: $startDate, dueDate: $dueDate, state: $state
    ) { ...MilestoneFields }
  }`,
  [milestoneFields],
);

const remove = graphql(
  `mutation DeleteMilestone($source: GroupOrProject!, $id: Int!) {
    deleteMilestone(source: $source, id: $id)
  }`,
);

const issues = graphql(
  `query MilestoneIssues($source: GroupOrProject!, $id: Int!, $page: Int, $perPage: Int) {
    page: milestoneIssues(source: $source, id: $id, page: $page, perPage: $perPage) {
      total nodes { ...IssueFields }
    }
  }`,
  [issueFields],
);

const mergeRequests = graphql(
  `query MilestoneMergeRequests($source: GroupOrProject!, $id: Int!, $page: Int, $perPage: Int) {
    page: milestoneMergeRequests(source: $source, id: $id, page: $page, perPage: $perPage) {
      total nodes { ...MergeRequestFields }
    }
  }`,
  [mergeRequestFields],
);

type Source = (id: string) => { readonly group: string } | { readonly project: string };

/** Null or '' clears a date. */
const details = {
  description: p.orNone(p.text()).optional(),
  due_date: p.orNone(p.date()).optional(),
  start_date: p.orNone(p.date()).optional(),
};

const states = { close: 'closed', activate: 'active' } as const;

/**
 * Milestones of projects and of groups: the same routes below another parent (v4-behaviour 3.9).
 */
function milestoneRoutes(parent: 'groups' | 'projects', source: Source) {
  const all = { access: 'signed in', path: `/${parent}/:id/milestones` } as const;
  const single = { access: 'signed in', path: `/${parent}/:id/milestones/:milestone_id` } as const;
  const one = { ...ref, milestone_id: p.id() };
  return [
    route({
      ...all,
      method: 'get',
      params: z.object({
        ...ref,
        state: p.choice(['active', 'closed']).optional(),
        iids: p.intList().optional(),
        search: p.text().optional(),
      }),
      document: list,
      variables: ({ id, state, iids, search, page, perPage }) => ({
        source: source(id),
        state,
        // clients send an empty list for no filter
        iids: iids?.length ? iids : undefined,
        search,
        page,
        perPage,
      }),
      reshape: milestone,
    }),
    route({
      ...single,
      method: 'get',
      params: z.object(one),
      document: show,
      variables: ({ id, milestone_id }) => ({ source: source(id), id: milestone_id }),
      reshape: milestone,
    }),
    route({
      ...all,
      method: 'post',
      params: z.object({ ...ref, title: p.text(), ...details }),
      document: create,
      variables: ({ id, title, description, due_date: dueDate, start_date: startDate }) => ({
        source: source(id),
        title,
        description,
        dueDate,
        startDate,
      }),
      reshape: milestone,
    }),
    route({
      ...single,
      method: 'put',
      params: atLeastOne(
        z.object({
          ...one,
          ...details,
          title: p.text().optional(),
          state_event: p.choice(['close', 'activate']).optional(),
        }),
        'title',
        'description',
        'due_date',
        'start_date',
        'state_event',
      ),
      document: update,
      variables: ({ id, milestone_id, title, description, due_date, start_date, state_event }) => ({
        source: source(id),
        id: milestone_id,
        title,
        description,
        dueDate: due_date,
        startDate: start_date,
        state: state_event && states[state_event],
      }),
      reshape: milestone,
    }),
    route({
      ...single,
      method: 'delete',
      params: z.object(one),
      document: remove,
      variables: ({ id, milestone_id }) => ({ source: source(id), id: milestone_id }),
    }),
    route({
      access: 'signed in',
      path: `${single.path}/issues`,
      method: 'get',
      params: z.object(one),
      document: issues,
      variables: ({ id, milestone_id, page, perPage }) => ({
        source: source(id),
        id: milestone_id,
        page,
        perPage,
      }),
      reshape: issue,
    }),
    route({
      access: 'signed in',
      path: `${single.path}/merge_requests`,
      method: 'get',
      params: z.object(one),
      document: mergeRequests,
      variables: ({ id, milestone_id, page, perPage }) => ({
        source: source(id),
        id: milestone_id,
        page,
        perPage,
      }),
      reshape: mergeRequest,
    }),
  ];
}

export const milestones = [
  ...milestoneRoutes('groups', (group) => ({ group })),
  ...milestoneRoutes('projects', (project) => ({ project })),
];
