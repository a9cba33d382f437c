import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import type { FileDiff } from '../ports/git/diff.ts';

export const Diff = builder.objectRef<FileDiff>('Diff').implement({
  description: 'The change of one file.',
  fields: (t) => ({
    oldPath: t.exposeString('oldPath', {
      description: 'The path before the change; the same as `newPath` unless the file was renamed.',
    }),
    newPath: t.exposeString('newPath', { description: 'The path after the change.' }),
    aMode: t.exposeString('aMode', {
      description: 'The file mode before the change, six octal digits; `0` for a new file.',
    }),
    bMode: t.exposeString('bMode', {
      description: 'The file mode after the change, six octal digits; `0` for a deleted file.',
    }),
    isNew: t.exposeBoolean('isNew', { description: 'Whether the change creates the file.' }),
    isRenamed: t.exposeBoolean('isRenamed', {
      description: 'Whether the change renames the file.',
    }),
    isDeleted: t.exposeBoolean('isDeleted', {
      description: 'Whether the change deletes the file.',
    }),
    similarity: t.exposeInt('similarity', {
      description:
        'How much of the content a rename kept, in percent. Null unless the file was renamed.',
      nullable: true,
    }),
    oldBlob: t.exposeString('oldBlob', {
      description: 'The id of the content before the change; null for a new file.',
      nullable: true,
      extensions: internal,
    }),
    newBlob: t.exposeString('newBlob', {
      description: 'The id of the content after the change; null for a deleted file.',
      nullable: true,
      extensions: internal,
    }),
    diff: t.exposeString('diff', {
      description:
        'The changed lines in the unified format of git, without the header of the file. Empty if only the name or mode changed, and if the text is too long.',
    }),
  }),
});
