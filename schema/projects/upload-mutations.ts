import { builder } from '../kernel/builder.ts';
import { type Attachment, addUpload } from './uploads.ts';

const AttachmentType = builder.objectRef<Attachment>('Attachment').implement({
  description: 'A file that was uploaded for the texts of a project.',
  fields: (t) => ({
    alt: t.exposeString('alt', {
      description: 'The alternative text: the name of the file, of an image without its extension.',
    }),
    url: t.exposeString('url', {
      description: 'The path of the file, relative to the URL of the project.',
    }),
    markdown: t.exposeString('markdown', {
      description: 'A link to the file in Markdown; images are embedded.',
    }),
  }),
});

builder.mutationField('addUpload', (t) =>
  t.field({
    extensions: { payload: 'upload' },
    type: AttachmentType,
    description: 'Stores a file for the texts of a project. Signed-in users who see the project.',
    args: {
      project: t.arg.id({ required: true, description: 'The id or full path of the project.' }),
      file: t.arg({
        type: 'Upload',
        required: true,
        description: 'The file, at most as large as the setting `maxAttachmentSize`.',
      }),
    },
    resolve: (_root, { project, file }, ctx) => addUpload(project, file, ctx),
  }),
);
