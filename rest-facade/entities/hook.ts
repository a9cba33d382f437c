import { z } from 'zod';
import { graphql } from '../../schema/client/graphql.ts';
import { p } from '../kernel/params.ts';

/** A system hook; its token is never shown. */
export const systemHookFields = graphql(`
  fragment SystemHookFields on WebHook {
    id url created_at: createdAt push_events: onPush tag_push_events: onTagPush
    repository_update_events: onRepositoryUpdate enable_ssl_verification: verifiesSsl
  }
`);

/** A hook of a project (v4-behaviour 3.9). */
export const projectHookFields = graphql(
  `
    fragment ProjectHookFields on WebHook {
      ...SystemHookFields
      project_id: projectId issues_events: onIssue merge_requests_events: onMergeRequest
      note_events: onNote pipeline_events: onPipeline wiki_page_events: onWikiPage job_events: onJob
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

/** The `HookSettings` of the core. */
export const hookSettings = (params: z.infer<typeof settings>) => ({
  url: params.url,
  token: params.token,
  verifiesSsl: params.enable_ssl_verification,
  onPush: params.push_events,
  onTagPush: params.tag_push_events,
  onRepositoryUpdate: params.repository_update_events,
  onMergeRequest: params.merge_requests_events,
  onIssue: params.issues_events,
  onConfidentialIssue: params.confidential_issues_events,
  onNote: params.note_events,
  onPipeline: params.pipeline_events,
  onJob: params.job_events,
  onWikiPage: params.wiki_page_events,
});
