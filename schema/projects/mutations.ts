import { refuseBadAvatar, replaceAvatar } from '../kernel/avatar.ts';
import { builder } from '../kernel/builder.ts';
import { heavyCost, walkCost } from '../kernel/cost.ts';
import { given } from '../kernel/given.ts';
import { endingWith, publiclyTyped } from '../kernel/public.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { storedRecord } from '../listing/records.ts';
import { Visibility } from '../settings/types.ts';
import { createProject, type NewProject } from './create.ts';
import { projectDescriptions as about } from './descriptions.ts';
import { importOrigin } from './import-source.ts';
import { removeProject } from './remove.ts';
import { findOwner } from './target.ts';
import { Project } from './types.ts';

/** The settings of a project that null clears. */
export const clearableSettings = ['description', 'ciConfigPath'] as const;

export const ProjectSettingsInput = builder.inputType('ProjectSettings', {
  description:
    'The settings of a project. Omitted ones stay unchanged; a new project has their defaults.',
  fields: (t) => ({
    name: t.string({
      description: 'The name.',
      extensions: endingWith({ creating: 'Default: `path`.' }),
    }),
    path: t.string({
      description: 'The last part of the full path.',
      extensions: endingWith({ creating: 'Default: derived from `name`.' }),
    }),
    description: t.string({
      description: 'The description, at most 2000 characters.',
      extensions: endingWith({ updating: 'Null clears it.' }),
    }),
    visibility: t.field({
      type: Visibility,
      description: 'The users who see the project.',
      extensions: endingWith({ creating: 'Default: the setting `defaultProjectVisibility`.' }),
    }),
    tagList: t.stringList({
      description: 'The topics of the project.',
      extensions: endingWith({ updating: 'The list replaces the existing one.' }),
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
      'Creates a project, in a personal namespace or in a group. Requires the access level MASTER in the group; in a personal namespace the number of projects is limited by `projectsLimit` of the user.',
    args: {
      namespaceId: t.arg.int({
        description:
          'The namespace in which the project is created; null for the personal namespace of the owner.',
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
        extensions: publiclyTyped('URL'),
      }),
      settings: t.arg({ type: ProjectSettingsInput, required: true, description: 'The settings.' }),
      avatar: t.arg({
        type: 'Upload',
        description: 'An image of at most 200 KB.',
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
      return storedRecord(ctx, 'project', id, query);
    },
  }),
  deleteProject: t.id({
    extensions: { identifies: 'Project' },
    complexity: walkCost,
    description:
      'Deletes a project with its repository. It is hidden at once; a background job deletes its data. Requires the access level OWNER.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
    },
    resolve: (_root, { project }, ctx) => removeProject(project, ctx),
  }),
}));
