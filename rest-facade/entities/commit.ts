import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { entity, s } from '../kernel/shape.ts';
import { ciStatus } from './ci-status.ts';
import { listedPipeline, listedPipelineFields } from './pipeline.ts';

export const commitFields = graphql(`
  fragment CommitFields on Commit {
    id title message parentIds
    author { name email at }
    committer { name email at }
  }
`);

const shape = {
  id: s.text().describe('The id of the commit.'),
  short_id: s.text().describe('The first eight digits of the id.'),
  title: s.text(),
  created_at: s.time().describe('The same as `committed_date`.'),
  parent_ids: s.list(s.text()).describe('The ids of the commits that it follows.'),
  message: s.text(),
  author_name: s.text().describe('The name of the author of the changes.'),
  author_email: s.text().describe('The e-mail address of the author.'),
  authored_date: s.time().describe('When the author made the changes.'),
  committer_name: s.text().describe('The name of the user who made the commit.'),
  committer_email: s.text().describe('The e-mail address of the committer.'),
  committed_date: s.time().describe('When the commit was made.'),
};

export const commitShape = entity('Commit', shape);

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

export const commitDetailShape = entity('CommitDetail', {
  ...shape,
  stats: entity('CommitStats', { additions: s.int(), deletions: s.int(), total: s.int() })
    .nullable()
    .optional(),
  status: ciStatus().nullable(),
  last_pipeline: listedPipeline.nullable(),
});

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
