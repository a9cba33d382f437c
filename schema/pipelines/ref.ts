import type { Context } from '../kernel/context.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';

/** What a pipeline runs for: a branch, a tag, or a commit by its id. */
export interface PipelineRef {
  readonly kind: 'branch' | 'tag' | 'commit';
  /** As the pipeline shows it: a short name, or a full id. */
  readonly name: string;
  /** The id that the reference points to: a commit, or an object that may lead to one. */
  readonly id: string;
}

const prefixes = { branch: 'refs/heads/', tag: 'refs/tags/' } as const;

/**
 * The branch, tag or commit of that name, also a full reference name; a branch takes precedence
 * over a tag. Null when there is none (decisions.md, pipeline `ref`).
 */
export async function pipelineRef(
  repository: RepositoryAddress,
  given: string,
  ctx: Pick<Context, 'git'>,
): Promise<PipelineRef | null> {
  const reference = await lookupRef(repository, given, ctx);
  if (reference || !/^[0-9a-f]{7,40}$/i.test(given)) return reference;
  const id = await ctx.git.resolveCommit(repository, given);
  return id?.startsWith(given.toLowerCase()) ? { kind: 'commit', name: id, id } : null;
}

/** The same for branches and tags only. */
export async function lookupRef(
  repository: RepositoryAddress,
  given: string,
  { git }: Pick<Context, 'git'>,
): Promise<PipelineRef | null> {
  const candidates = candidatesOf(given === 'HEAD' ? await git.head(repository) : given);
  const refs = await git.readRefs(
    repository,
    candidates.map(({ ref }) => ref),
  );
  for (const { kind, ref } of candidates) {
    const id = refs.get(ref);
    if (id !== undefined) return { kind, name: ref.slice(prefixes[kind].length), id };
  }
  return null;
}

function candidatesOf(given: string) {
  const kinds = Object.entries(prefixes) as ['branch' | 'tag', string][];
  const whole = kinds.filter(([, prefix]) => given.startsWith(prefix));
  return [
    ...whole.map(([kind]) => ({ kind, ref: given })),
    ...kinds.map(([kind, prefix]) => ({ kind, ref: `${prefix}${given}` })),
  ];
}
