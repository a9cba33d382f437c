import { Access } from '../kernel/access.ts';
import { isNoObject, noObject } from '../kernel/no-object.ts';
import { isRefName } from '../kernel/ref-names.ts';
import type { RefChange } from '../ports/git/address.ts';
import { canPushCode, type ProjectTraits } from '../projects/policy.ts';

/** A requested change of a reference; `isForced` if it discards commits. */
export interface RequestedRefChange extends RefChange {
  readonly isForced: boolean;
  /** It only merges a merge request, so the merge level suffices. */
  readonly isMerge?: boolean | undefined;
}

export interface BranchRule {
  /** A branch name in which `*` is a wildcard. */
  readonly name: string;
  readonly pushAccessLevel: number;
  readonly mergeAccessLevel: number;
}

export interface TagRule {
  /** A tag name in which `*` is a wildcard. */
  readonly name: string;
  readonly createAccessLevel: number;
}

/** The rules on the references of a project. */
export interface RefRules {
  readonly rules: readonly BranchRule[];
  readonly tagRules: readonly TagRule[];
}

export interface PushSituation extends RefRules {
  readonly level: Access;
  readonly defaultBranch: string | null;
  /**
   * The setting `default_branch_protection`: the level for the first push to an empty repository.
   */
  readonly protection: number;
}

const branchPrefix = 'refs/heads/';
const tagPrefix = 'refs/tags/';

/** Git resolves `x` also at these names, so they could pass for another reference. */
const disguised = /^refs\/(?:[^/]+\/)?refs\//;

const texts = {
  push: 'You are not allowed to push code to protected branches on this project.',
  delete:
    'You are not allowed to delete protected branches from this project. ' +
    'Only a project master or owner can delete a protected branch.',
  default: 'The default branch of a project cannot be deleted.',
  force: 'You are not allowed to force push code to a protected branch on this project.',
  tag: 'You are not allowed to change existing tags on this project.',
  createTag: 'You are not allowed to create this tag as it is protected.',
  updateTag: 'Protected tags cannot be updated.',
  name: 'Names of branches and tags may not begin with refs/.',
} as const;

/** Why the reference may not be created, with its short name; null if it may. */
function nameRefusal(ref: string): string | null {
  if (disguised.test(ref)) return texts.name;
  const [, kind, name = ''] = /^refs\/(head|tag)s\/(.*)$/s.exec(ref) ?? [];
  if (!kind || isRefName(name)) return null;
  return `'${name}' is not a valid ${kind === 'head' ? 'branch' : 'tag'} name.`;
}

/** Why the change is not allowed, or null (v4-behaviour 4.4 as amended by decisions.md). */
export function refusalOf(change: RequestedRefChange, situation: PushSituation): string | null {
  const { ref } = change;
  // an invalid name from an earlier release can still be deleted
  const badName = isNoObject(change.after) ? null : nameRefusal(ref);
  if (badName !== null) return badName;
  if (ref.startsWith(tagPrefix)) return tagRefusal(ref.slice(tagPrefix.length), change, situation);
  return ref.startsWith(branchPrefix)
    ? branchRefusal(ref.slice(branchPrefix.length), change, situation)
    : null;
}

/** A placeholder id: the rules on an existing branch only need to know that its commit exists. */
const anyCommit = 'f'.repeat(40);

type Permission = (
  branch: string,
  level: Access,
  project: ProjectTraits & Pick<PushSituation, 'defaultBranch'>,
  rules: readonly BranchRule[],
) => boolean;

/** Whether a user may update an existing branch in this way. */
const mayUpdate =
  (update: Pick<RequestedRefChange, 'isForced' | 'isMerge'>): Permission =>
  (branch, level, project, rules) => {
    const change = { ref: branchPrefix + branch, before: anyCommit, after: anyCommit, ...update };
    const { defaultBranch } = project;
    const situation = { level, defaultBranch, rules, tagRules: [], protection: 0 };
    return canPushCode(level, project) && refusalOf(change, situation) === null;
  };

/** Whether a user may push to a branch, or merge into it by its protection (v4-behaviour 3.4, 4.4). */
export const canPushOrMerge = mayUpdate({ isForced: false, isMerge: true });

export const canPushTo = mayUpdate({ isForced: false });

/** Whether a push may discard commits of a branch. */
export const canForcePushTo = mayUpdate({ isForced: true });

/** Whether a user may delete an existing branch. */
export const canDeleteBranch: Permission = (branch, level, project, rules) =>
  mayDelete({ ref: branchPrefix + branch, level, project, rules });

/** Whether a user may delete an existing tag. */
export const canDeleteTag = (level: Access, project: ProjectTraits): boolean =>
  mayDelete({
    ref: `${tagPrefix}any`,
    level,
    project: { ...project, defaultBranch: null },
    rules: [],
  });

interface Deletion {
  readonly ref: string;
  readonly level: Access;
  readonly project: ProjectTraits & Pick<PushSituation, 'defaultBranch'>;
  readonly rules: readonly BranchRule[];
}

function mayDelete({ ref, level, project, rules }: Deletion): boolean {
  const change = { ref, before: anyCommit, after: noObject, isForced: false };
  const situation = {
    level,
    defaultBranch: project.defaultBranch,
    rules,
    tagRules: [],
    protection: 0,
  };
  return canPushCode(level, project) && refusalOf(change, situation) === null;
}

/** Masters change and delete tags; a protected one is never changed, only created and deleted. */
function tagRefusal(
  tag: string,
  { before, after }: RequestedRefChange,
  { level, tagRules }: Pick<PushSituation, 'level' | 'tagRules'>,
): string | null {
  const isNew = isNoObject(before);
  if (!isNew && level < Access.master) return texts.tag;
  if (isNew) return isTagAllowed(tag, level, tagRules) ? null : texts.createTag;
  const isProtected = tagRules.some(({ name }) => matchesRule(name, tag));
  return isProtected && !isNoObject(after) ? texts.updateTag : null;
}

/** Whether the rules let users of a level create a tag: one of the rules that match it is enough. */
export function isTagAllowed(tag: string, level: Access, rules: readonly TagRule[]): boolean {
  const matching = rules.filter(({ name }) => matchesRule(name, tag));
  return (
    matching.length === 0 ||
    matching.some(({ createAccessLevel }) => isSufficient(level, createAccessLevel))
  );
}

/** Whether a rule protects a branch or tag. */
export const isProtectedRef = (
  { name: ref, isTag }: { readonly name: string; readonly isTag: boolean },
  { rules, tagRules }: RefRules,
): boolean => (isTag ? tagRules : rules).some(({ name }) => matchesRule(name, ref));

function branchRefusal(
  branch: string,
  { before, after, isForced, isMerge = false }: RequestedRefChange,
  { level, defaultBranch, rules, protection }: PushSituation,
): string | null {
  const isDeleted = isNoObject(after);
  if (isDeleted && branch === defaultBranch) return texts.default;
  const matching = rules.filter(({ name }) => matchesRule(name, branch));
  const mayMerge = matching.some(({ mergeAccessLevel }) => isSufficient(level, mergeAccessLevel));
  if (isMerge && mayMerge && !isDeleted) return null;
  if (level >= Access.master) {
    const isClosed = matching.length > 0 && matching.every((rule) => rule.pushAccessLevel === 0);
    return isClosed && !isDeleted ? texts.push : null;
  }
  // a default branch without a rule that does not exist yet: the setting applies
  const isBirth = (defaultBranch === null || branch === defaultBranch) && isNoObject(before);
  if (isBirth && protection >= 2) return texts.push;
  if (matching.length === 0) return null;
  if (isDeleted) return texts.delete;
  if (isForced) return texts.force;
  return matching.some(({ pushAccessLevel }) => isSufficient(level, pushAccessLevel))
    ? null
    : texts.push;
}

/** Level 0 is "no one". */
const isSufficient = (level: Access, needed: number) => needed !== 0 && level >= needed;

/** Whether a branch or tag matches a rule's name, in which `*` is a wildcard. */
export function matchesRule(name: string, ref: string): boolean {
  const parts = name.split('*');
  if (parts.length === 1) return name === ref;
  const [first = '', ...others] = parts;
  const last = others.pop() ?? '';
  if (ref.length < first.length + last.length) return false;
  if (!ref.startsWith(first) || !ref.endsWith(last)) return false;
  let from = first.length;
  const end = ref.length - last.length;
  for (const part of others) {
    const index = ref.indexOf(part, from);
    if (index === -1 || index + part.length > end) return false;
    from = index + part.length;
  }
  return true;
}
