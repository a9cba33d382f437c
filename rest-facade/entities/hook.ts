import { z } from 'zod';
import { graphql } from '../../schema/client/graphql.ts';
import { camelCased } from '../kernel/case.ts';
import { p } from '../kernel/params.ts';

/** A system hook; its token is never shown. */
export const systemHookFields = graphql(`
  fragment SystemHookFields on Hook {
    id url created_at: createdAt push_events: pushEvents tag_push_events: tagPushEvents
    repository_update_events: repositoryUpdateEvents enable_ssl_verification: enableSslVerification
  }
`);

/** A hook of a project (v4-behaviour 3.9). */
export const projectHookFields = graphql(
  `
    fragment ProjectHookFields on Hook {
      ...SystemHookFields
      project_id: projectId issues_events: issuesEvents merge_requests_events: mergeRequestsEvents
      note_events: noteEvents pipeline_events: pipelineEvents wiki_page_events: wikiPageEvents job_events: jobEvents
    }
  `,
  [systemHookFields],
);

/** The parameters of every hook. */
export const hookParams = {
  url: p.text(),
  token: p.orNone(p.text({ longest: 4096 })).optional(),
  enable_ssl_verification: p.flag().optional(),
  push_events: p.flag().optional(),
  tag_push_events: p.flag().optional(),
  repository_update_events: p.flag().optional(),
  merge_requests_events: p.flag().optional(),
};

/** The events that only projects have. */
export const projectHookParams = {
  ...hookParams,
  issues_events: p.flag().optional(),
  confidential_issues_events: p.flag().optional(),
  note_events: p.flag().optional(),
  pipeline_events: p.flag().optional(),
  job_events: p.flag().optional(),
  wiki_page_events: p.flag().optional(),
};

const settings = z.object(projectHookParams);

/** A `NewHook` or `HookChange` of the core. */
export const hookSettings = (params: z.infer<typeof settings>) => camelCased(params);
