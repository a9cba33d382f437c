import { builder } from '../kernel/builder.ts';
import { type FieldErrors, refuseFaults } from '../kernel/errors.ts';
import { blankOrTooLong } from '../kernel/lengths.ts';
import { publiclyTyped } from '../kernel/public.ts';
import { CommitComment, LineType } from './comments.ts';
import { bodyFaults, findCommitToDiscuss } from './discuss.ts';

/** Characters. */
const longestPath = 4096;

const CommitLineInput = builder.inputType('CommitLineInput', {
  description: 'A line of a diff.',
  fields: (t) => ({
    path: t.string({ required: true, description: 'The path of the file.' }),
    line: t.int({ required: true, description: 'The number of the line, from 1.' }),
    type: t.field({
      type: LineType,
      required: true,
      description: 'Whether `line` counts in the old or the new version of the file.',
    }),
  }),
});

builder.mutationField('createCommitComment', (t) =>
  t.prismaField({
    type: CommitComment,
    description:
      'Creates a comment on a commit, or on a line of its diff. Signed-in users who can read the code may do it.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      sha: t.arg.string({
        required: true,
        description: 'The id of the commit.',
        extensions: publiclyTyped('SHA'),
      }),
      body: t.arg.string({
        required: true,
        description: 'The text in Markdown, at most 1,000,000 characters.',
      }),
      line: t.arg({
        type: CommitLineInput,
        description: 'The commented line; null for the whole commit.',
      }),
    },
    resolve: async (query, _root, { project: ref, sha, body, line: place }, ctx) => {
      const { project, commit } = await findCommitToDiscuss({ project: ref, sha }, ctx);
      refuseFaults(faultsOf(body, place));
      return ctx.db.commitComment.create({
        ...query,
        data: {
          projectId: project.id,
          sha: commit.id,
          note: body,
          authorId: ctx.viewer?.id ?? null,
          ...(place && { path: place.path, line: place.line, lineType: place.type }),
        },
      });
    },
  }),
);

const faultsOf = (
  body: string,
  place: { readonly path: string; readonly line: number } | null | undefined,
): FieldErrors => ({
  body: bodyFaults(body),
  path: place ? blankOrTooLong(place.path, longestPath) : [],
  line: place && place.line < 1 ? ['must be greater than 0'] : [],
});
