import { builder } from '../kernel/builder.ts';
import { invalid, rejected } from '../kernel/errors.ts';
import type { FileChangeInput } from './create.ts';

export const CommitInput = builder.inputType('CommitInput', {
  fields: (t) => ({
    branch: t.string({ required: true }),
    /** Makes `branch` anew from there. */
    startBranch: t.string(),
    message: t.string({ required: true }),
    /** The caller's own when left out. */
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
    /** From where a file is moved. */
    previousPath: t.string(),
    /** A file that is moved keeps its content when none is given. */
    content: t.string(),
    encoding: t.field({ type: ContentEncoding, defaultValue: 'text' }),
    /** Refused when another commit has changed the file by now. */
    lastCommitId: t.string(),
  }),
});

interface Action {
  readonly action: string;
  readonly path: string;
  readonly previousPath?: string | null | undefined;
  readonly content?: string | null | undefined;
  readonly encoding?: 'text' | 'base64' | null | undefined;
  readonly lastCommitId?: string | null | undefined;
}

/** An action as v4 has them, in the terms of the core; refuses what it does not know. */
export function changeOf(asked: Action): FileChangeInput {
  const { action, path, lastCommitId = null } = asked;
  const bytes = contentOf(asked);
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
        previousPath: asked.previousPath ?? '',
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
