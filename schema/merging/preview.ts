import { Comparison, type ProjectComparison } from '../commits/compare.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { walkCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { refuseUnrelated, tipsOf } from '../merge-requests/branches.ts';
import { findProjects } from '../merge-requests/create.ts';

interface Preview {
  readonly comparison: ProjectComparison;
  readonly baseSha: string | null;
  readonly headSha: string;
}

interface PreviewInput {
  readonly sourceProject: string;
  readonly sourceBranch: string;
  readonly targetProject: string;
  readonly targetBranch: string;
}

const MergeRequestPreview = builder.objectRef<Preview>('MergeRequestPreview').implement({
  description: 'What a new merge request between two branches would have.',
  fields: (t) => ({
    comparison: t.expose('comparison', {
      type: Comparison,
      description: 'The commits and changes; their project is that of the source branch.',
    }),
    baseSha: t.expose('baseSha', {
      type: 'SHA',
      description: 'The merge base. Null if the branches have no common commit.',
      nullable: true,
    }),
    headSha: t.expose('headSha', {
      type: 'SHA',
      description: 'The head commit of the source branch.',
    }),
  }),
});

/** Throws what creating this merge request would throw because of its projects and branches. */
async function previewOf(
  { sourceProject, targetProject, ...names }: PreviewInput,
  ctx: Context,
): Promise<Preview> {
  const projects = await findProjects(sourceProject, targetProject, ctx);
  const branches = { ...projects, ...names };
  await refuseUnrelated(branches, ctx);
  const { head, base: from } = await tipsOf(branches, ctx);
  const { git, request } = ctx;
  const { source, target } = projects;
  const sides = { from, to: head, fromRepository: target };
  const compared = await git.compareAcross(source, sides, request.signal);
  const records = await git.commits(source, compared.commitIds);
  const commits = records.map((commit) => ({ ...commit, repository: source }));
  const comparison = { ...compared, commits, isSame: from === head };
  return { comparison, baseSha: compared.base, headSha: head };
}

builder.queryField('mergeRequestPreview', (t) =>
  t.field({
    type: MergeRequestPreview,
    description:
      'The commits and changes of a new merge request, also from a fork, for users who may create it.',
    extensions: internal,
    complexity: { field: walkCost, multiplier: 5 },
    args: {
      sourceProject: t.arg.id({ required: true, description: 'The project of the source branch.' }),
      sourceBranch: t.arg.string({ required: true, description: 'The source branch.' }),
      targetProject: t.arg.id({
        required: true,
        description: 'The same project, or one that it was forked from.',
      }),
      targetBranch: t.arg.string({ required: true, description: 'The target branch.' }),
    },
    resolve: (_root, input, ctx) => previewOf(input, ctx),
  }),
);
