import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { p } from '../kernel/params.ts';

export const hookFields = graphql(`
  fragment HookFields on WebHook {
    id url createdAt projectId verifiesSsl onPush onTagPush onRepositoryUpdate onIssue
    onMergeRequest onNote onPipeline onWikiPage onJob
  }
`);

type Hook = ResultOf<typeof hookFields>;

/** A system hook; its token is never shown. */
export const systemHook = (record: Hook) => ({
  id: record.id,
  url: record.url,
  created_at: record.createdAt,
  push_events: record.onPush,
  tag_push_events: record.onTagPush,
  repository_update_events: record.onRepositoryUpdate,
  enable_ssl_verification: record.verifiesSsl,
});

/** A hook of a project (v4-behaviour 3.9). */
export const projectHook = (record: Hook) => ({
  ...systemHook(record),
  project_id: record.projectId,
  issues_events: record.onIssue,
  merge_requests_events: record.onMergeRequest,
  note_events: record.onNote,
  pipeline_events: record.onPipeline,
  wiki_page_events: record.onWikiPage,
  job_events: record.onJob,
});

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
