import type { Context } from '../kernel/context.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import { noObject } from '../kernel/no-object.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { findWritableProject } from '../projects/find.ts';
import { changeRefs } from '../repository/change-refs.ts';
import { lookupTag, tagRef } from './find.ts';

/** Attempts, if others move the tag while it is being deleted. */
const attempts = 5;

/**
 * Deletes a tag and its release in the viewer's name. Throws if the push rules forbid it, or if its
 * commit is newer than the time the caller named (v4-behaviour 1.3, 2.9).
 */
export async function removeTag(ref: string, name: string, ctx: Context): Promise<void> {
  const project = await findWritableProject(ref, ctx);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const tag = await lookupTag(project, name, ctx);
    if (!tag) throw notFound('Tag');
    const commit = await ctx.git.commitBehind(project, tag.id);
    if (commit) refuseModified({ updatedAt: new Date(commit.author.at) }, ctx);
    const change = { ref: tagRef(name), before: tag.id, after: noObject };
    const changed = await changeRefs(project, [change], ctx);
    if (changed.outcome === 'moved') return;
    if (changed.outcome === 'refused') throw conflict(changed.text);
    if (changed.outcome === 'impossible') throw notFound('Tag');
  }
  throw conflict(`Tag ${name} is being changed`);
}
