import { writerOf } from '../commits/create.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { noObject } from '../kernel/no-object.ts';
import { isRefName } from '../kernel/ref-names.ts';
import { findWritableProject } from '../projects/find.ts';
import { changeRefs } from '../repository/change-refs.ts';
import type { NewRelease } from '../repository/releases.ts';
import type { ReadableRepository } from '../repository/types.ts';
import { lookupTag, tagRef } from './find.ts';
import { type ShownTag, showTag } from './show.ts';

export interface TagOptions {
  readonly name: string;
  /** A branch, a tag or a commit. */
  readonly target: string;
  /** Makes it an annotated tag. */
  readonly message?: string | null | undefined;
  /** Its release; null for none. */
  readonly release?: NewRelease | null | undefined;
}

const texts = {
  name: 'Tag name invalid',
  taken: (name: string) => `Tag ${name} already exists`,
  target: (target: string) => `Target ${target} is invalid`,
};

/**
 * Creates a tag in the viewer's name, with a release if one is given; developers only. Throws
 * `refusal` for an invalid name, an unknown target, an existing tag, and if the push rules forbid it
 * (v4-behaviour 2.9).
 */
export async function createTag(
  ref: string,
  options: TagOptions,
  ctx: Context,
  refusal: (message: string) => Error = conflict,
): Promise<ShownTag> {
  const { name, target, release } = options;
  const project = await findWritableProject(ref, ctx);
  if (!isRefName(name)) throw refusal(texts.name);
  const commit = await ctx.git.resolveCommit(project, target);
  if (!commit) throw refusal(texts.target(target));
  // checked before anything is written; git checks again at the update
  if (await lookupTag(project, name, ctx)) throw refusal(texts.taken(name));
  const id = await objectFor(project, { ...options, commit }, ctx);
  const change = { ref: tagRef(name), before: noObject, after: id };
  const changed = await changeRefs(project, [release ? { ...change, release } : change], ctx);
  if (changed.outcome === 'refused') throw refusal(changed.text);
  if (changed.outcome === 'stale') throw refusal(texts.taken(name));
  if (changed.outcome === 'impossible') throw refusal(texts.name);
  return showTag(project, { name, id }, ctx);
}

/** The object to reference: a tag object with the annotation, or the commit itself. */
async function objectFor(
  repository: ReadableRepository,
  { name, commit, message }: TagOptions & { readonly commit: string },
  ctx: Context,
): Promise<string> {
  const annotation = filled(message)?.trim();
  if (!annotation) return commit;
  const tagger = await writerOf(ctx);
  return ctx.git.writeTag(repository, { name, target: commit, message: annotation, tagger });
}

/** A blank text counts as none. */
export const filled = (text: string | null | undefined): string | undefined =>
  text && text.trim() !== '' ? text : undefined;
