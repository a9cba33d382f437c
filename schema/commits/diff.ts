import { builder } from '../kernel/builder.ts';
import type { FileDiff } from '../ports/git/diff.ts';

/** The change of one file. */
export const Diff = builder.objectRef<FileDiff>('Diff').implement({
  fields: (t) => ({
    oldPath: t.exposeString('oldPath'),
    newPath: t.exposeString('newPath'),
    /** `0` for a new file. */
    aMode: t.exposeString('aMode'),
    bMode: t.exposeString('bMode'),
    isNew: t.exposeBoolean('isNew'),
    isRenamed: t.exposeBoolean('isRenamed'),
    isDeleted: t.exposeBoolean('isDeleted'),
    /** Git's output without the file header; '' if it is too long. */
    diff: t.exposeString('diff'),
  }),
});
