import { builder } from '../kernel/builder.ts';
import { type Attachment, addUpload } from './uploads.ts';

const AttachmentType = builder.objectRef<Attachment>('Attachment').implement({
  description: 'A file kept for the texts of a project.',
  fields: (t) => ({
    /** Alternative text. */
    alt: t.exposeString('alt'),
    /** Relative to the project's URL. */
    url: t.exposeString('url'),
    markdown: t.exposeString('markdown'),
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
