import { builder } from '../kernel/builder.ts';
import { type FieldErrors, refuseFaults } from '../kernel/errors.ts';
import { blankOrTooLong } from '../kernel/lengths.ts';
import { findProject } from '../projects/find.ts';
import { CommitComment, LineType } from './comments.ts';
import { findCommit } from './find.ts';
import { canCommentOnCommit } from './policy.ts';

/** Characters. */
const longestNote = 1_000_000;
const longestPath = 4096;

const CommitLineInput = builder.inputType('CommitLineInput', {
  description: 'A line of a diff.',
  fields: (t) => ({
    path: t.string({ required: true }),
    line: t.int({ required: true }),
    type: t.field({ type: LineType, required: true }),
  }),
});

builder.mutationField('addCommitComment', (t) =>
  t.prismaField({
    type: CommitComment,
    args: {
      project: t.arg.id({ required: true }),
      /** A branch, a tag or a commit. */
      sha: t.arg.string({ required: true }),
      note: t.arg.string({ required: true }),
      /** The line commented on; omitted for the whole commit. */
      line: t.arg({ type: CommitLineInput }),
    },
    resolve: async (query, _root, { project: ref, sha, note, line: place }, ctx) => {
      const project = await findProject(ref, ctx, canCommentOnCommit);
      const commit = await findCommit(project, sha, ctx);
      refuseFaults(faultsOf(note, place));
      return ctx.db.commitComment.create({
        ...query,
        data: {
          projectId: project.id,
          sha: commit.id,
          note,
          authorId: ctx.viewer?.id ?? null,
          ...(place && { path: place.path, line: place.line, lineType: place.type }),
        },
      });
    },
  }),
);

const faultsOf = (
  note: string,
  place: { readonly path: string; readonly line: number } | null | undefined,
): FieldErrors => ({
  note: blankOrTooLong(note, longestNote),
  path: place ? blankOrTooLong(place.path, longestPath) : [],
  line: place && place.line < 1 ? ['must be greater than 0'] : [],
});
