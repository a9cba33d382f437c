import { builder } from '../kernel/builder.ts';
import { invalid, rejected } from '../kernel/errors.ts';
import { publiclyTyped } from '../kernel/public.ts';
import type { FileChangeInput } from './create.ts';

export const CommitInput = builder.inputType('CommitInput', {
  description: 'A commit to create on a branch.',
  fields: (t) => ({
    branch: t.string({
      required: true,
      description: 'The branch that gets the commit; it is created if `startBranch` is given.',
    }),
    startBranch: t.string({
      description: 'The branch from which `branch` is created; null if `branch` exists.',
    }),
    message: t.string({ required: true, description: 'The commit message.' }),
    authorName: t.string({ description: 'The name of the author; null for the current user.' }),
    authorEmail: t.string({
      description: 'The e-mail address of the author; null for the current user.',
    }),
  }),
});

export const ContentEncoding = builder.enumType('ContentEncoding', {
  description: 'How the content of a file is encoded in an input.',
  values: {
    text: { description: 'As text, which is stored as UTF-8.' },
    base64: { description: 'In Base64, for any bytes.' },
  } as const,
});

builder.enumType('CommitAction', {
  description: 'What a commit does to a file.',
  values: {
    create: { description: 'Creates it.' },
    update: { description: 'Replaces its content.' },
    delete: { description: 'Deletes it.' },
    move: { description: 'Renames it, and replaces its content if one is given.' },
  },
});

export const CommitActionInput = builder.inputType('CommitActionInput', {
  description: 'The change of one file in a commit.',
  fields: (t) => ({
    action: t.string({
      required: true,
      description: 'What happens to the file.',
      extensions: publiclyTyped('CommitAction'),
    }),
    path: t.string({ required: true, description: 'The path of the file.' }),
    previousPath: t.string({ description: 'The former path of a moved file.' }),
    content: t.string({
      description:
        'The content, encoded as `encoding` says; if it is absent, a moved file keeps its content.',
    }),
    encoding: t.field({
      type: ContentEncoding,
      defaultValue: 'text',
      description: 'How `content` is encoded.',
    }),
    lastCommitSha: t.field({
      type: 'SHA',
      description:
        'The id of the last commit that changed the file: if it is another one, nothing is changed. Null skips the check.',
    }),
  }),
});

type Action = typeof CommitActionInput.$inferInput;

/** Converts a v4 action to a file change; throws for an unknown action. */
export function changeOf(input: Action): FileChangeInput {
  const { action, path, lastCommitSha = null } = input;
  const bytes = contentOf(input);
  switch (action) {
    case 'create':
    case 'update':
      if (bytes === null && action === 'update') throw invalid({ content: ['is missing'] });
      return { kind: action, path, content: bytes ?? Buffer.alloc(0), lastCommitSha };
    case 'delete':
      return { kind: action, path, lastCommitSha };
    case 'move':
      return {
        kind: action,
        path,
        previousPath: input.previousPath ?? '',
        content: bytes,
        lastCommitSha,
      };
    default:
      throw rejected(`Unknown action '${action}'`);
  }
}

function contentOf({ content, encoding }: Action): Buffer | null {
  if (content === null || content === undefined) return null;
  if (encoding !== 'base64') return Buffer.from(content);
  const digits = content.replace(/\s+/g, '');
  if (!/^[\w+/-]*={0,2}$/.test(digits)) throw invalid({ content: ['is no Base64'] });
  return Buffer.from(digits, 'base64');
}
