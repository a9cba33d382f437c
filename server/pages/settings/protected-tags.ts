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

export const protectedTagFields = graphql(`
  fragment ProtectedTagSettings on ProtectedTag { name create { level description } }
`);

type Rule = ResultOf<typeof protectedTagFields>;

const create = graphql(`
  mutation ProtectTags($project: ID!, $name: String!, $level: Int!) {
    createProtectedTag(project: $project, name: $name, createAccessLevel: $level) { name }
  }
`);

const update = graphql(`
  mutation ChangeProtectedTag($project: ID!, $name: String!, $level: Int!) {
    updateProtectedTag(project: $project, name: $name, createAccessLevel: $level) { name }
  }
`);

const remove = graphql(`
  mutation UnprotectTags($project: ID!, $name: String!) {
    deleteProtectedTag(project: $project, name: $name)
  }
`);

interface Listed {
  readonly total: number;
  readonly nodes: readonly Rule[];
}

const kind = {
  singular: 'tag',
  plural: 'tags',
  about: 'Only users with these levels may create matching tags.',
  example: 'v*',
} as const;

/** The rules that protect tags, with the form for another one. */
export function protectedTags(
  visit: Visit,
  project: Project,
  { total, nodes }: Listed,
  outcome: FormOutcome,
): Html {
  const address = addressIn(visit, project, 'settings', 'repository', 'protected_tags');
  const rules = nodes.map(({ name, create: { level, description } }, number) => ({
    name,
    levels: `Create: ${description}`,
    change: formOf(
      visit,
      { address: `${address}/update`, submit: 'Save' },
      html`${ruleName(name)}${levelField(`tag-${number}-create`, String(level))}`,
    ),
  }));
  const levelFields = (input: Visit['form']) =>
    levelField('new-tag-create', input.create_access_level ?? '40');
  return protectedRules(visit, project, kind, { total, rules, levelFields }, outcome);
}

const levelField = (id: string, value: string): Html =>
  select({
    name: 'create_access_level',
    id,
    label: 'Allowed to create',
    value,
    options: ruleLevels,
  });

/** Handles the forms of the section. */
export async function submitProtectedTag(
  visit: Visit,
  { id }: Project,
  action: string,
): Promise<void> {
  const rule = { project: String(id), name: visit.form.name ?? '' };
  const level = levelIn(visit.form.create_access_level);
  if (action === '') await visit.ask(create, { ...rule, level });
  else if (action === 'update') await visit.ask(update, { ...rule, level });
  else if (action === 'remove') await visit.ask(remove, rule);
  else throw pathNotFound();
}
