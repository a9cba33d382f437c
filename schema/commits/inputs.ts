import { builder } from '../kernel/builder.ts';
import { invalid, rejected } from '../kernel/errors.ts';
import type { FileChangeInput } from './create.ts';

export const CommitInput = builder.inputType('CommitInput', {
  fields: (t) => ({
    branch: t.string({ required: true }),
    /** Creates `branch` from this one. */
    startBranch: t.string(),
    message: t.string({ required: true }),
    /** Defaults to the caller's own. */
    authorName: t.string(),
    authorEmail: t.string(),
  }),
});

export const ContentEncoding = builder.enumType('ContentEncoding', {
  values: ['text', 'base64'] as const,
});

export const CommitActionInput = builder.inputType('CommitActionInput', {
  fields: (t) => ({
    /** `create`, `update`, `delete` or `move`. */
    action: t.string({ required: true }),
    path: t.string({ required: true }),
    /** The former path of a moved file. */
    previousPath: t.string(),
    /** Omitted, a moved file keeps its content. */
    content: t.string(),
    encoding: t.field({ type: ContentEncoding, defaultValue: 'text' }),
    /** The change is rejected if the file's last commit is another one. */
    lastCommitId: t.string(),
  }),
});

type Action = typeof CommitActionInput.$inferInput;

/** Converts a v4 action to a file change; throws for an unknown action. */
export function changeOf(input: Action): FileChangeInput {
  const { action, path, lastCommitId = null } = input;
  const bytes = contentOf(input);
  switch (action) {
    case 'create':
    case 'update':
      if (bytes === null && action === 'update') throw invalid({ content: ['is missing'] });
      return { kind: action, path, content: bytes ?? Buffer.alloc(0), lastCommitId };
    case 'delete':
      return { kind: action, path, lastCommitId };
    case 'move':
      return {
        kind: action,
        path,
        previousPath: input.previousPath ?? '',
        content: bytes,
        lastCommitId,
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
