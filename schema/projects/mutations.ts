import { refuseBadAvatar, replaceAvatar } from '../kernel/avatar.ts';
import { builder } from '../kernel/builder.ts';
import { heavyCost, walkCost } from '../kernel/cost.ts';
import { given } from '../kernel/given.ts';
import { done } from '../kernel/results.ts';
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
    name: t.string(),
    path: t.string(),
    description: t.string(),
    visibility: t.field({ type: Visibility }),
    tagList: t.stringList(),
    issuesEnabled: t.boolean(),
    mergeRequestsEnabled: t.boolean(),
    jobsEnabled: t.boolean(),
    wikiEnabled: t.boolean(),
    snippetsEnabled: t.boolean(),
    containerRegistryEnabled: t.boolean(),
    sharedRunnersEnabled: t.boolean(),
    lfsEnabled: t.boolean(),
    requestAccessEnabled: t.boolean(),
    publicJobs: t.boolean(),
    resolveOutdatedDiffDiscussions: t.boolean(),
    onlyAllowMergeIfPipelineSucceeds: t.boolean(),
    onlyAllowMergeIfAllDiscussionsAreResolved: t.boolean(),
    printingMergeRequestLinkEnabled: t.boolean(),
    ciConfigPath: t.string(),
    buildTimeout: t.int({ description: 'Seconds that a job may run: from 10 minutes to 1 month.' }),
  }),
});

builder.mutationFields((t) => ({
  createProject: t.prismaField({
    type: Project,
    complexity: heavyCost,
    args: {
      /** Defaults to the owner's personal namespace. */
      namespaceId: t.arg.int(),
      /** The owner; only administrators may name another user. */
      ownerId: t.arg.int(),
      defaultBranch: t.arg.string(),
      /** The URL from which a job imports the repository; may contain credentials. */
      importUrl: t.arg.string(),
      settings: t.arg({ type: ProjectSettingsInput, required: true }),
      avatar: t.arg({ type: 'Upload' }),
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
  deleteProject: t.boolean({
    complexity: walkCost,
    args: { project: t.arg.id({ required: true }) },
    resolve: (_root, { project }, ctx) => done(removeProject(project, ctx)),
  }),
}));
