import { batched } from '../kernel/batched.ts';
import type { Context } from '../kernel/context.ts';
import { encoded } from '../kernel/percent-encoding.ts';

type Caller = Pick<Context, 'db' | 'baseUrl'>;

/** The full path of a project; one statement for all projects of an operation. */
const pathOf = batched<number, string, Caller>(async (ids, { db }) => {
  const projects = await db.project.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, fullPath: true },
  });
  return new Map(projects.map(({ id, fullPath }) => [id, fullPath]));
}, '');

/** The address for browsers of a project. */
export const projectUrl = async ({ id }: { readonly id: number }, ctx: Caller): Promise<string> =>
  `${ctx.baseUrl}/${await pathOf(id, ctx)}`;

/** The address for browsers of a page of a repository, such as `tree/main`. */
export const repositoryPageUrl = async (
  project: { readonly id: number },
  page: string,
  ctx: Caller,
): Promise<string> => `${await projectUrl(project, ctx)}/${encoded(page)}`;

/** The field with the address of the page of a branch or tag. */
export const refPageUrl = {
  type: 'URL',
  description: 'The address of the page that shows its files.',
  resolve: (
    { name, repository }: { readonly name: string; readonly repository: { readonly id: number } },
    _args: object,
    ctx: Caller,
  ) => repositoryPageUrl(repository, `tree/${name}`, ctx),
} as const;
