import { builder } from '../kernel/builder.ts';
import type { FileDiff } from '../ports/git/diff.ts';

/** What became of one file. */
export const Diff = builder.objectRef<FileDiff>('Diff').implement({
  fields: (t) => ({
    oldPath: t.exposeString('oldPath'),
    newPath: t.exposeString('newPath'),
    /** `0` where there was no such file. */
    aMode: t.exposeString('aMode'),
    bMode: t.exposeString('bMode'),
    isNew: t.exposeBoolean('isNew'),
    isRenamed: t.exposeBoolean('isRenamed'),
    isDeleted: t.exposeBoolean('isDeleted'),
    /** As git prints it, without its lines on the file itself; '' when it is too long. */
    diff: t.exposeString('diff'),
  }),
});
