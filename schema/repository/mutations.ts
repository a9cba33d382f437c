import { builder } from '../kernel/builder.ts';
import { given } from '../kernel/given.ts';
import { publiclyTyped } from '../kernel/public.ts';
import { storedRecord } from '../listing/records.ts';
import { clearableSettings, ProjectSettingsInput } from '../projects/mutations.ts';
import { Project } from '../projects/types.ts';
import { type ProjectChange, updateProject } from '../projects/update.ts';
import { settlePush } from './settle.ts';

// here and not in schema/projects: a new default branch moves HEAD, which the ledger settles
builder.mutationField('updateProject', (t) =>
  t.prismaField({
    type: Project,
    description:
      'Changes the settings of a project. Requires the access level MASTER, and OWNER for the name, the path and the visibility.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      settings: t.arg({
        type: ProjectSettingsInput,
        required: true,
        description: 'The settings; absent ones stay as they are.',
      }),
      defaultBranch: t.arg.string({
        description:
          'The name of the default branch, which must exist unless the repository is empty.',
      }),
      importUrl: t.arg.string({
        description: 'The HTTP or HTTPS URL to import from; the repository must be empty.',
        extensions: publiclyTyped('URL'),
      }),
      avatar: t.arg({
        type: 'Upload',
        description: 'An image of at most 200 KB; null removes the avatar.',
      }),
    },
    resolve: async (query, _root, { project, settings, defaultBranch, importUrl, avatar }, ctx) => {
      const change = {
        ...given(settings, clearableSettings),
        ...(defaultBranch && { defaultBranch }),
        ...(importUrl && { importUrl }),
      } as ProjectChange;
      const { id, ledger } = await updateProject(project, change, ctx, avatar);
      if (ledger !== null) await settlePush(ledger, ctx);
      return storedRecord(ctx, 'project', id, query);
    },
  }),
);
