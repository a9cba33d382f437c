import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { type Attachment, createUpload } from './uploads.ts';

const AttachmentType = builder.objectRef<Attachment>('Attachment').implement({
  description: 'A file that was uploaded for the texts of a project.',
  fields: (t) => ({
    alt: t.exposeString('alt', {
      description: 'The alternative text: the name of the file, of an image without its extension.',
    }),
    path: t.exposeString('path', {
      description: 'The path of the file, relative to the URL of the project.',
      extensions: internal,
    }),
    url: t.field({
      type: 'URL',
      description: 'The URL of the file, for users who see the project.',
      resolve: ({ path, project }, _args, { baseUrl }) => `${baseUrl}/${project.fullPath}${path}`,
    }),
    markdown: t.exposeString('markdown', {
      description: 'A link to the file in Markdown; images are embedded.',
    }),
  }),
});

builder.mutationField('createUpload', (t) =>
  t.field({
    extensions: { payload: 'upload' },
    type: AttachmentType,
    description:
      'Stores a file for the texts of a project. Signed-in users who see the project may do it.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      file: t.arg({
        type: 'Upload',
        required: true,
        description: 'The file, at most as large as the setting `maxAttachmentSize`.',
      }),
    },
    resolve: (_root, { project, file }, ctx) => createUpload(project, file, ctx),
  }),
);
