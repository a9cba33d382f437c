import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { formOf, select } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import type { FormOutcome } from './form-outcome.ts';
import { levelIn, ruleLevels } from './levels.ts';
import { protectedRules, ruleName } from './protected-rules.ts';

export const protectedBranchFields = graphql(`
  fragment ProtectedBranchSettings on ProtectedBranch {
    name push { level description } merge { level description }
  }
`);

type Rule = ResultOf<typeof protectedBranchFields>;

const create = graphql(`
  mutation ProtectBranches($project: ID!, $name: String!, $push: Int!, $merge: Int!) {
    createProtectedBranch(
      project: $project, name: $name, pushAccessLevel: $push, mergeAccessLevel: $merge
    ) { name }
  }
`);

const update = graphql(`
  mutation ChangeProtectedBranch($project: ID!, $name: String!, $push: Int!, $merge: Int!) {
    updateProtectedBranch(
      project: $project, name: $name, pushAccessLevel: $push, mergeAccessLevel: $merge
    ) { name }
  }
`);

const remove = graphql(`
  mutation UnprotectBranches($project: ID!, $name: String!) {
    deleteProtectedBranch(project: $project, name: $name)
  }
`);

interface Listed {
  readonly total: number;
  readonly nodes: readonly Rule[];
}

const kind = {
  singular: 'branch',
  plural: 'branches',
  about:
    'Only users with these levels may push to and merge into matching branches. No user may force-push to them or delete them with git.',
  example: 'release/*',
} as const;

/** The rules that protect branches, with the form for another one. */
export function protectedBranches(
  visit: Visit,
  project: Project,
  { total, nodes }: Listed,
  outcome: FormOutcome,
): Html {
  const address = addressIn(visit, project, 'settings', 'repository', 'protected_branches');
  const rules = nodes.map(({ name, push, merge }, number) => ({
    name,
    levels: `Push: ${push.description} · Merge: ${merge.description}`,
    change: formOf(
      visit,
      { address: `${address}/update`, submit: 'Save' },
      html`${ruleName(name)}${levels(`branch-${number}`, String(push.level), String(merge.level))}`,
    ),
  }));
  const levelFields = (input: Visit['form']) =>
    levels('new-branch', input.push_access_level ?? '40', input.merge_access_level ?? '40');
  return protectedRules(visit, project, kind, { total, rules, levelFields }, outcome);
}

const levels = (id: string, push: string, merge: string): Html => html`${select({
  name: 'push_access_level',
  id: `${id}-push`,
  label: 'Allowed to push',
  value: push,
  options: ruleLevels,
})}
${select({
  name: 'merge_access_level',
  id: `${id}-merge`,
  label: 'Allowed to merge',
  value: merge,
  options: ruleLevels,
})}`;

/** Handles the forms of the section. */
export async function submitProtectedBranch(
  visit: Visit,
  { id }: Project,
  action: string,
): Promise<void> {
  const { form } = visit;
  const rule = { project: String(id), name: form.name ?? '' };
  const given = {
    push: levelIn(form.push_access_level),
    merge: levelIn(form.merge_access_level),
  };
  if (action === '') await visit.ask(create, { ...rule, ...given });
  else if (action === 'update') await visit.ask(update, { ...rule, ...given });
  else if (action === 'remove') await visit.ask(remove, rule);
  else throw pathNotFound();
}
