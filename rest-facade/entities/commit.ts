import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { listedPipelineFields } from './pipeline.ts';

export const commitFields = graphql(`
  fragment CommitFields on Commit {
    id title message parentIds
    author { name email at }
    committer { name email at }
  }
`);

/** A commit in listings and tags (specification, "Tag, commit and release"). */
export const commit = (record: ResultOf<typeof commitFields>) => ({
  id: record.id,
  short_id: record.id.slice(0, 8),
  title: record.title,
  created_at: record.committer.at,
  parent_ids: record.parentIds,
  message: record.message,
  author_name: record.author.name,
  author_email: record.author.email,
  authored_date: record.author.at,
  committer_name: record.committer.name,
  committer_email: record.committer.email,
  committed_date: record.committer.at,
});

export const commitDetailFields = graphql(
  `
    fragment CommitDetailFields on Commit {
      ...CommitFields
      status
      stats { additions deletions total }
      last_pipeline: lastPipeline { ...ListedPipelineFields }
    }
  `,
  [commitFields, listedPipelineFields],
);

type Detail = ResultOf<typeof commitDetailFields>;

/** A commit by itself, with its pipeline status, and its line counts unless excluded. */
export const commitDetail = ({
  stats,
  status,
  last_pipeline,
  ...record
}: Omit<Detail, 'stats'> & Partial<Pick<Detail, 'stats'>>) => ({
  ...commit(record),
  stats,
  status,
  last_pipeline,
});
