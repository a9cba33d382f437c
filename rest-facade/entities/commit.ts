import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { listedPipeline, listedPipelineFields } from './pipeline.ts';

export const commitFields = graphql(`
  fragment CommitFields on Commit {
    id title message parentIds
    author { name email at }
    committer { name email at }
  }
`);

/** A commit in listings and tags (specification, "Tag, commit and release"). */
export const commit = (found: ResultOf<typeof commitFields>) => ({
  id: found.id,
  short_id: found.id.slice(0, 8),
  title: found.title,
  created_at: found.committer.at,
  parent_ids: found.parentIds,
  message: found.message,
  author_name: found.author.name,
  author_email: found.author.email,
  authored_date: found.author.at,
  committer_name: found.committer.name,
  committer_email: found.committer.email,
  committed_date: found.committer.at,
});

export const commitDetailFields = graphql(
  `
    fragment CommitDetailFields on Commit {
      ...CommitFields
      status
      stats { additions deletions total }
      lastPipeline { ...ListedPipelineFields }
    }
  `,
  [commitFields, listedPipelineFields],
);

type Detail = ResultOf<typeof commitDetailFields>;

/** A commit by itself, with its pipeline status, and its line counts unless excluded. */
export const commitDetail = ({
  stats,
  ...found
}: Omit<Detail, 'stats'> & Partial<Pick<Detail, 'stats'>>) => ({
  ...commit(found),
  ...(stats !== undefined && {
    stats: stats && {
      additions: stats.additions,
      deletions: stats.deletions,
      total: stats.total,
    },
  }),
  status: found.status,
  last_pipeline: found.lastPipeline && listedPipeline(found.lastPipeline),
});
