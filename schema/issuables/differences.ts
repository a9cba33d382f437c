import type { Prisma } from '../../prisma/client.ts';
import { sentences } from '../system-notes/sentences.ts';

/** Old and new values, by the names of a hook's payload. */
export type HookChanges = Readonly<Record<string, readonly [Value, Value]>>;
type Value = Prisma.InputJsonValue | null;

/** A part of an update: what it writes, its system notes and, in merge requests, what hooks get. */
export interface Difference<Columns> {
  readonly columns?: Columns;
  readonly text?: { readonly title?: string; readonly description?: string | null };
  readonly sentences?: readonly string[];
  readonly hookChanges?: HookChanges;
}

type Optional<Value> = Value | null | undefined;

export function descriptionChanged(
  before: { readonly description: string | null },
  { description }: { readonly description?: Optional<string> },
): readonly Difference<never>[] {
  if (description === undefined || description === before.description) return [];
  // '' and null look the same: no note
  if ((description ?? '') === (before.description ?? '')) return [{ text: { description } }];
  return [
    {
      text: { description },
      sentences: [sentences.descriptionChanged],
      hookChanges: { description: [before.description, description] },
    },
  ];
}

interface Lockable {
  readonly isDiscussionLocked: boolean | null;
}

export function discussionLockChanged(
  before: Lockable,
  change: { readonly isDiscussionLocked?: Optional<boolean> },
  { locked, unlocked }: Readonly<Record<'locked' | 'unlocked', string>>,
): readonly Difference<Lockable>[] {
  const isDiscussionLocked = change.isDiscussionLocked ?? before.isDiscussionLocked;
  if (isDiscussionLocked === before.isDiscussionLocked) return [];
  const columns = { isDiscussionLocked };
  const hookChanges = {
    discussion_locked: [before.isDiscussionLocked, isDiscussionLocked],
  } as const;
  // null and false both mean unlocked: no note
  if (!isDiscussionLocked && !before.isDiscussionLocked) return [{ columns, hookChanges }];
  return [{ columns, sentences: [isDiscussionLocked ? locked : unlocked], hookChanges }];
}

/** The action of an update, which can close or reopen. */
export function actionBetween(
  { state: before }: { readonly state: string },
  { state: after }: { readonly state: string },
): 'update' | 'close' | 'reopen' {
  if (before === after) return 'update';
  return after === 'opened' ? 'reopen' : 'close';
}

/** The texts to write and the sentences of all parts of an update. */
export const combined = (differences: readonly Difference<unknown>[]) => ({
  text: Object.assign({}, ...differences.map(({ text }) => text)) as NonNullable<
    Difference<unknown>['text']
  >,
  sentences: differences.flatMap((difference) => difference.sentences ?? []),
});
