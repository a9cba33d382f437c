import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { mayRead } from './entities/repository.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { entity, s, shaped, shapeOf } from './kernel/shape.ts';

const fields = graphql(`
  fragment ProjectCiLintFields on ProjectCiLint {
    errors warnings mergedYaml
    jobs @include(if: $withJobs) {
      name stage beforeScript script afterScript tags only except environment when isAllowedToFail
    }
  }
`);

type Lint = ResultOf<typeof fields>;
type Job = NonNullable<Lint['jobs']>[number];

const refs = s.object({ refs: s.list(s.text()).describe('The refs.') }).nullable();

const job = shaped(
  entity('LintedJob', {
    name: s.text().describe('The name.'),
    stage: s.text().describe('The stage.'),
    before_script: s.list(s.text()).describe('The commands before the script.'),
    script: s.list(s.text()).describe('The commands.'),
    after_script: s.list(s.text()).describe('The commands that run in any case afterwards.'),
    tag_list: s.list(s.text()).describe('The tags that a runner must have.'),
    only: refs.describe('The refs that it runs for; null in a dry run.'),
    except: refs.describe('The refs that it does not run for; null if there are none.'),
    environment: s.text().nullable().describe('The environment that it deploys to.'),
    when: s.text().describe('When it runs, as in the file.'),
    allow_failure: s.flag().describe('Whether the pipeline passes if it fails.'),
    needs: z.null().describe('Always null.'),
  }),
  (
    { beforeScript, afterScript, tags, isAllowedToFail, only, except, ...record }: Job,
    isDryRun: boolean,
  ) => ({
    ...record,
    before_script: beforeScript,
    after_script: afterScript,
    tag_list: tags,
    only: isDryRun ? null : { refs: only ?? ['branches', 'tags'] },
    except: isDryRun || !except ? null : { refs: except },
    allow_failure: isAllowedToFail,
    needs: null,
  }),
);

const lint = shaped(
  entity('ProjectCiLint', {
    valid: s.flag().describe('Whether the file is valid.'),
    errors: s.list(s.text()).describe('What is wrong with it: the first problem, or none.'),
    warnings: s.list(s.text()).describe('What does not keep a pipeline from being created.'),
    merged_yaml: s
      .text()
      .nullable()
      .describe('The file with its aliases resolved; null if it has errors or is too long.'),
    jobs: s
      .list(shapeOf(job))
      .optional()
      .describe('The jobs, of a dry run those that would run; only with `include_jobs`.'),
  }),
  ({ errors, warnings, mergedYaml, jobs }: Lint, isDryRun: boolean) => ({
    valid: errors.length === 0,
    errors,
    warnings,
    merged_yaml: mergedYaml,
    ...(jobs && { jobs: jobs.map((record) => job(record, isDryRun)) }),
  }),
);

const options = {
  ...ref,
  dry_run: p
    .flag()
    .optional()
    .describe('Whether the creation of a pipeline of the caller is simulated.'),
  include_jobs: p.flag().optional().describe('Whether the response has the jobs.'),
  ref: p.text().optional().describe('The branch or tag of a dry run. Default: the default branch.'),
};

const common = {
  path: '/projects/:id/ci/lint',
  description:
    'From GitLab 13.5. Validates the file without creating a pipeline. `jobs` of an invalid file is empty.',
} as const;

const lintFile = route({
  ...common,
  method: 'get',
  access: 'anyone',
  before: mayRead,
  params: z.object({
    ...options,
    content_ref: p
      .text()
      .optional()
      .describe('The branch, tag or commit with the file. Default: the default branch.'),
    dry_run_ref: p.text().optional().describe('The later name of `ref`.'),
  }),
  document: graphql(
    `query LintProjectFile(
      $id: ID!, $contentRef: String, $isDryRun: Boolean!, $ref: String, $withJobs: Boolean!
    ) {
      repository(project: $id) {
        result: ciLint(contentRef: $contentRef, isDryRun: $isDryRun, ref: $ref) {
          ...ProjectCiLintFields
        }
      }
    }`,
    [fields],
  ),
  variables: ({ dry_run, include_jobs, content_ref, dry_run_ref, ...params }) => ({
    id: params.id,
    ref: dry_run_ref ?? params.ref,
    contentRef: content_ref,
    isDryRun: dry_run ?? false,
    withJobs: include_jobs ?? false,
  }),
  response: shapeOf(lint),
  reshape: (result, _site, { dry_run }) => lint(result, dry_run ?? false),
});

const lintContent = route({
  ...common,
  method: 'post',
  access: 'signed in',
  status: 200,
  params: z.object({
    ...options,
    content: p.text().describe('The text of the file.'),
  }),
  document: graphql(
    `query LintProjectContent(
      $id: ID!, $content: String!, $isDryRun: Boolean!, $ref: String, $withJobs: Boolean!
    ) {
      result: projectCiLint(project: $id, content: $content, isDryRun: $isDryRun, ref: $ref) {
        ...ProjectCiLintFields
      }
    }`,
    [fields],
  ),
  variables: ({ dry_run, include_jobs, ...params }) => ({
    ...params,
    isDryRun: dry_run ?? false,
    withJobs: include_jobs ?? false,
  }),
  response: shapeOf(lint),
  reshape: (result, _site, { dry_run }) => lint(result, dry_run ?? false),
});

export const projectCiLint = [lintFile, lintContent];
