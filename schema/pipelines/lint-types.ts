import { builder } from '../kernel/builder.ts';
import type { LintedJob } from './lint-task.ts';

/** The result of the validation of a CI file in a project. */
export interface ProjectLint {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** Null if the file has errors, or if it is too long. */
  readonly mergedYaml: string | null;
  readonly jobs: readonly LintedJob[];
}

const CiLintJob = builder.objectRef<LintedJob>('CiLintJob').implement({
  description: 'A job of a valid CI file.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name.' }),
    stage: t.exposeString('stage', { description: 'The stage.' }),
    beforeScript: t.stringList({
      description: 'The commands before the script.',
      resolve: ({ beforeScript }) => [...beforeScript],
    }),
    script: t.stringList({
      description: 'The commands.',
      resolve: ({ script }) => [...script],
    }),
    afterScript: t.stringList({
      description: 'The commands that run in any case afterwards.',
      resolve: ({ afterScript }) => [...afterScript],
    }),
    tags: t.stringList({
      description: 'The tags that a runner must have.',
      resolve: ({ tags }) => [...tags],
    }),
    only: t.stringList({
      nullable: true,
      description: 'The refs that it runs for. Null: all branches and tags.',
      resolve: ({ only }) => only && [...only],
    }),
    except: t.stringList({
      nullable: true,
      description: 'The refs that it does not run for. Null: it has no such list.',
      resolve: ({ except }) => except && [...except],
    }),
    environment: t.exposeString('environment', {
      nullable: true,
      description: 'The name of the environment that it deploys to. Null: none.',
    }),
    when: t.exposeString('when', { description: 'When it runs, as in the file.' }),
    isAllowedToFail: t.exposeBoolean('isAllowedToFail', {
      description: 'Whether the pipeline passes if it fails.',
    }),
  }),
});

export const ProjectCiLint = builder.objectRef<ProjectLint>('ProjectCiLint').implement({
  description: 'The result of the validation of a CI file in a project.',
  fields: (t) => ({
    errors: t.stringList({
      description: 'The problems: the first one, or none.',
      resolve: ({ errors }) => [...errors],
    }),
    warnings: t.stringList({
      description: 'What does not keep a pipeline from being created.',
      resolve: ({ warnings }) => [...warnings],
    }),
    mergedYaml: t.exposeString('mergedYaml', {
      nullable: true,
      description:
        'The file with its aliases resolved. Null if the file has errors, or if it is above 1 Mi characters so.',
    }),
    jobs: t.field({
      type: [CiLintJob],
      description: 'The jobs; of a dry run those that would run.',
      resolve: ({ jobs }) => [...jobs],
    }),
  }),
});
