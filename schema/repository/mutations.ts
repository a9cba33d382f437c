import { builder } from '../kernel/builder.ts';
import { given } from '../kernel/given.ts';
import { clearableSettings, ProjectSettingsInput } from '../projects/mutations.ts';
import { Project } from '../projects/types.ts';
import { type ProjectChange, updateProject } from '../projects/update.ts';
import { settlePush } from './settle.ts';

// here and not in schema/projects: a new default branch moves HEAD, which the ledger settles
builder.mutationField('updateProject', (t) =>
  t.prismaField({
    type: Project,
    args: {
      project: t.arg.id({ required: true }),
      settings: t.arg({ type: ProjectSettingsInput, required: true }),
      defaultBranch: t.arg.string(),
      /** The URL to import from; the repository must be empty. */
      importUrl: t.arg.string(),
      /** Null removes the avatar. */
      avatar: t.arg({ type: 'Upload' }),
    },
    resolve: async (query, _root, { project, settings, defaultBranch, importUrl, avatar }, ctx) => {
      const change = {
        ...given(settings, clearableSettings),
        ...(defaultBranch && { defaultBranch }),
        ...(importUrl && { importUrl }),
      } as ProjectChange;
      const { id, ledger } = await updateProject(project, change, ctx, avatar);
      if (ledger !== null) await settlePush(ledger, ctx);
      return ctx.db.project.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
);
