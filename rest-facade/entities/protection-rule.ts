import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { z } from 'zod';
import { p, ref } from '../kernel/params.ts';
import type { PathParams } from '../kernel/route.ts';
import { s } from '../kernel/shape.ts';

/** A level in the rule of a protected branch or tag. */
export const ruleLevel = s.object({
  access_level: s.int().describe('The lowest level that may do it: 0 (no user), 30 or 40.'),
  access_level_description: s.text().describe('The level in words.'),
});

/** The levels that a rule may require. */
export const ruleLevels = ['0', '30', '40'] as const;

/** A level as the core takes it. */
export const levelOf = (text: string | undefined) =>
  text === undefined ? undefined : Number(text);

/**
 * What the routes of the rules of branches and of tags have in common. `mayProtect` fails unless the
 * caller may see the rules of the project; it is checked before the parameters.
 */
export function ruleRoutes<Data>(
  path: string,
  mayProtect: TypedDocumentNode<Data, { project: string }>,
) {
  const before = {
    document: mayProtect,
    variables: ({ id = '' }: PathParams) => ({ project: id }),
  };
  const all = { path, access: 'signed in', before } as const;
  const single = {
    ...all,
    path: `${path}/:name`,
    params: z.object({ ...ref, name: p.text() }),
  } as const;
  return {
    list: { ...all, method: 'get', params: z.object(ref) },
    show: { ...single, method: 'get' },
    create: { ...all, method: 'post', statuses: [409] },
    remove: { ...single, method: 'delete' },
  } as const;
}
