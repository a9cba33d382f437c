import { refuseBadAvatar, replaceAvatar } from '../kernel/avatar.ts';
import { builder } from '../kernel/builder.ts';
import { heavyCost, walkCost } from '../kernel/cost.ts';
import { given } from '../kernel/given.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { Visibility } from '../settings/types.ts';
import { createProject, type NewProject } from './create.ts';
import { projectDescriptions as about } from './descriptions.ts';
import { importOrigin } from './import-source.ts';
import { findOwner } from './owner.ts';
import { removeProject } from './remove.ts';
import { Project } from './types.ts';

/** The settings of a project that null clears. */
export const clearableSettings = ['description', 'ciConfigPath'] as const;

export const ProjectSettingsInput = builder.inputType('ProjectSettings', {
  description:
    'The settings of a project. Omitted ones stay unchanged; a new project has their defaults.',
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
    issuesEnabled: t.boolean(about.issuesEnabled),
    mergeRequestsEnabled: t.boolean(about.mergeRequestsEnabled),
    jobsEnabled: t.boolean(about.jobsEnabled),
    wikiEnabled: t.boolean(about.wikiEnabled),
    snippetsEnabled: t.boolean(about.snippetsEnabled),
    containerRegistryEnabled: t.boolean(about.containerRegistryEnabled),
    sharedRunnersEnabled: t.boolean(about.sharedRunnersEnabled),
    lfsEnabled: t.boolean(about.lfsEnabled),
    requestAccessEnabled: t.boolean(about.requestAccessEnabled),
    publicJobs: t.boolean(about.publicJobs),
    resolveOutdatedDiffDiscussions: t.boolean(about.resolveOutdatedDiffDiscussions),
    onlyAllowMergeIfPipelineSucceeds: t.boolean(about.onlyAllowMergeIfPipelineSucceeds),
    onlyAllowMergeIfAllDiscussionsAreResolved: t.boolean(
      about.onlyAllowMergeIfAllDiscussionsAreResolved,
    ),
    printingMergeRequestLinkEnabled: t.boolean(about.printingMergeRequestLinkEnabled),
    ciConfigPath: t.string(about.ciConfigPath),
    buildTimeout: t.int(about.buildTimeout),
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
