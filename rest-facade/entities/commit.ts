import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { entity, s, selected, shaped } from '../kernel/shape.ts';
import { listedPipelineFields } from './pipeline.ts';

export const commitFields = graphql(`
  fragment CommitFields on Commit {
    id title message parentIds
    author { name email at }
    committer { name email at }
  }
`);

/** The fields of a commit. */
const commitShapes = {
  id: s.text().describe('The full id.'),
  short_id: s.text().describe('The first eight digits of the id.'),
  title: s.text().describe('The first line of the message.'),
  created_at: s.time().describe('When it was committed.'),
  parent_ids: s.list(s.text()).describe('The ids of the parents.'),
  message: s.text().describe('The whole message.'),
  author_name: s.text().describe('The name of the author.'),
  author_email: s.text().describe('The e-mail address of the author.'),
  authored_date: s.time().describe('When the author wrote the change.'),
  committer_name: s.text().describe('The name of the committer.'),
  committer_email: s.text().describe('The e-mail address of the committer.'),
  committed_date: s.time().describe('When it was committed.'),
};

/** A commit in listings and tags (specification, "Tag, commit and release"). */
export const commit = shaped(
  entity('Commit', commitShapes),
  (record: ResultOf<typeof commitFields>) => ({
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
  }),
);

export const foundCommitFields = graphql(
  `fragment FoundCommitFields on Commit { ...CommitFields projectId }`,
  [commitFields],
);

/** A commit that a search found. */
export const foundCommit = shaped(
  entity('FoundCommit', { ...commitShapes, project_id: s.id().describe('The id of the project.') }),
  ({ projectId, ...record }: ResultOf<typeof foundCommitFields>) => ({
    ...commit(record),
    project_id: projectId,
  }),
);

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
export const commitDetail = shaped(
  entity('CommitDetail', {
    ...commitShapes,
    stats: s
      .object({
        additions: s.int().describe('Added lines.'),
        deletions: s.int().describe('Deleted lines.'),
        total: s.int().describe('Both together.'),
      })
      .nullable()
      .optional()
      .describe('The counts of changed lines.'),
    status: s.text().nullable().describe('The status of the last pipeline, if any.'),
    last_pipeline: selected(listedPipelineFields).nullable().describe('The last pipeline.'),
  }),
  ({
    stats,
    status,
    last_pipeline,
    ...record
  }: Omit<Detail, 'stats'> & Partial<Pick<Detail, 'stats'>>) => ({
    ...commit(record),
    stats,
    status,
    last_pipeline,
  }),
);

const { short_id, title, created_at, ...blameCommitShapes } = commitShapes;

/** The commit that last changed lines of a file. */
export const blameCommit = shaped(
  entity('BlameCommit', blameCommitShapes),
  (record: ResultOf<typeof commitFields>) => {
    const { short_id, title, created_at, ...fields } = commit(record);
    return fields;
  },
);
