import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import type { Project } from '../frame/project-head.ts';
import { select } from '../kernel/forms.ts';
import type { Html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import type { FormOutcome } from './form-outcome.ts';
import { levelIn, ruleLevels } from './levels.ts';
import { protectedRules } from './protected-rules.ts';

export const protectedTagFields = graphql(`
  fragment ProtectedTagSettings on ProtectedTag { name create { level description } }
`);

type Rule = ResultOf<typeof protectedTagFields>;

const create = graphql(`
  mutation ProtectTags($project: ID!, $name: String!, $level: Int!) {
    createProtectedTag(project: $project, name: $name, createAccessLevel: $level) { name }
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
  const rules = nodes.map(({ name, create: { description } }) => ({
    name,
    levels: `Create: ${description}`,
  }));
  const levelFields = (input: Visit['form']) =>
    select({
      name: 'create_access_level',
      label: 'Allowed to create',
      value: input.create_access_level ?? '40',
      options: ruleLevels,
    });
  return protectedRules(visit, project, kind, { total, rules, levelFields }, outcome);
}

/** Handles the forms of the section. */
export async function submitProtectedTag(
  visit: Visit,
  { id }: Project,
  action: string,
): Promise<void> {
  const rule = { project: String(id), name: visit.form.name ?? '' };
  const level = levelIn(visit.form.create_access_level);
  if (action === '') await visit.ask(create, { ...rule, level });
  else if (action === 'remove') await visit.ask(remove, rule);
  else throw pathNotFound();
}
