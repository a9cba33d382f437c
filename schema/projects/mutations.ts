import { refuseBadAvatar, replaceAvatar } from '../kernel/avatar.ts';
import { builder } from '../kernel/builder.ts';
import { heavyCost, walkCost } from '../kernel/cost.ts';
import { given } from '../kernel/given.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { Visibility } from '../settings/types.ts';
import { createProject, type NewProject } from './create.ts';
import { importOrigin } from './import-source.ts';
import { findOwner } from './owner.ts';
import { removeProject } from './remove.ts';
import { Project } from './types.ts';

/** The settings of a project that null clears. */
export const clearableSettings = ['description', 'ciConfigPath'] as const;

/** All settings of a project; omitted ones stay unchanged. */
export const ProjectSettingsInput = builder.inputType('ProjectSettings', {
  fields: (t) => ({
    name: t.string({
      description: 'The name. A new project takes it from `path` if it is absent.',
    }),
    path: t.string({
      description:
        'The last part of the full path. A new project derives it from `name` if it is absent.',
    }),
    description: t.string({ description: 'The description; null clears it.' }),
    visibility: t.field({
      type: Visibility,
      description:
        'Who sees the project. A new project has the default visibility of the instance.',
    }),
    tagList: t.stringList({
      description: 'The topics of the project; they replace the existing ones.',
    }),
    issuesEnabled: t.boolean({ description: 'Whether the project has issues.' }),
    mergeRequestsEnabled: t.boolean({ description: 'Whether the project accepts merge requests.' }),
    jobsEnabled: t.boolean({ description: 'Whether the project runs pipelines.' }),
    wikiEnabled: t.boolean({ description: 'Whether the project has a wiki.' }),
    snippetsEnabled: t.boolean({ description: 'Whether the project has snippets.' }),
    containerRegistryEnabled: t.boolean({
      description: 'Stored for clients; there is no container registry.',
    }),
    sharedRunnersEnabled: t.boolean({
      description: 'Whether shared runners run the jobs of the project.',
    }),
    lfsEnabled: t.boolean({ description: 'Stored for clients; Git LFS is not served.' }),
    requestAccessEnabled: t.boolean({ description: 'Whether users can request access.' }),
    publicJobs: t.boolean({
      description: 'Whether all users who see the project see its pipelines and jobs.',
    }),
    resolveOutdatedDiffDiscussions: t.boolean({
      description: 'Stored for clients; it has no effect.',
    }),
    onlyAllowMergeIfPipelineSucceeds: t.boolean({
      description: 'Whether a merge request can be merged only if its pipeline succeeded.',
    }),
    onlyAllowMergeIfAllDiscussionsAreResolved: t.boolean({
      description: 'Stored for clients; it has no effect.',
    }),
    printingMergeRequestLinkEnabled: t.boolean({
      description: 'Stored for clients; it has no effect.',
    }),
    ciConfigPath: t.string({
      description: 'The path of the CI file in the repository; null means `.gitlab-ci.yml`.',
    }),
    buildTimeout: t.int({ description: 'Seconds that a job may run: from 10 minutes to 1 month.' }),
  }),
});

builder.mutationFields((t) => ({
  createProject: t.prismaField({
    type: Project,
    complexity: heavyCost,
    description:
      'Creates a project, in a personal namespace or in a group. Masters of the group; in personal namespaces at most as many as the limit of the user.',
    args: {
      namespaceId: t.arg.int({
        description:
          'The id of the namespace in which the project is created; null for the personal namespace of the owner.',
      }),
      ownerId: t.arg.int({
        description:
          'The id of the user for whom the project is created; only administrators may name another user. Null for the current user.',
      }),
      defaultBranch: t.arg.string({
        description: 'The name of the default branch; null for the first branch that is pushed.',
      }),
      importUrl: t.arg.string({
        description:
          'The HTTP or HTTPS URL of a repository that a background job imports. It may contain credentials.',
      }),
      settings: t.arg({ type: ProjectSettingsInput, required: true, description: 'The settings.' }),
      avatar: t.arg({
        type: 'Upload',
        description:
          'An image of at most 200 KB; null removes the avatar, and if it is absent, nothing changes.',
      }),
    },
    resolve: async (query, _root, args, ctx) => {
      const { namespaceId, ownerId, settings, defaultBranch, importUrl, avatar } = args;
      const owner = await findOwner(ownerId ?? null, ctx);
      await refuseBadAvatar(avatar, ctx);
      const project = {
        ...given(settings, clearableSettings),
        ...given({ defaultBranch }),
      } as NewProject;
      const origin = importUrl ? importOrigin(importUrl, signedIn(ctx).id, ctx) : undefined;
      const id = await createProject(project, namespaceId ?? null, owner, ctx, origin);
      await replaceAvatar({ kind: 'project', id }, avatar, ctx);
      return ctx.db.project.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  deleteProject: t.id({
    extensions: { identifies: 'Project' },
    complexity: walkCost,
    description:
      'Deletes a project with its repository. It is hidden at once; a background job deletes its data. Owners only.',
    args: {
      project: t.arg.id({ required: true, description: 'The id or full path of the project.' }),
    },
    resolve: (_root, { project }, ctx) => removeProject(project, ctx),
  }),
}));
