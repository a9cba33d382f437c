import { Prisma } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import { forbidden } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { storedRecord } from '../listing/records.ts';
import { projectsAtLevel } from '../projects/at-level.ts';
import { findRunner, findRunnerByToken, findRunnersProject, runnersOfProjects } from './find.ts';
import { listRunners, ofProject, runnerListArgs } from './listing.ts';
import { canListAllRunners, reasonNotToShow } from './policy.ts';
import { Runner, RunnerPage } from './types.ts';

const list = {
  type: RunnerPage,
  complexity: listingCost,
  args: { ...runnerListArgs, ...pageArgs },
} as const;

builder.queryFields((t) => ({
  runners: t.field({
    ...list,
    description:
      'The specific runners of the projects in which the current user is a master, the oldest first. An anonymous user gets UNAUTHENTICATED.',
    resolve: (_root, args, ctx) => {
      const mastered = Prisma.sql`projects.id IN (${projectsAtLevel(signedIn(ctx), Access.master)})`;
      const where = Prisma.sql`id IN (${runnersOfProjects(mastered)})`;
      return listRunners(args, ctx, { where });
    },
  }),
  allRunners: t.field({
    ...list,
    extensions: internal,
    resolve: (_root, args, ctx) => {
      if (!canListAllRunners(signedIn(ctx))) throw forbidden();
      return listRunners(args, ctx, { where: Prisma.sql`true` });
    },
  }),
  projectRunners: t.field({
    ...list,
    extensions: internal,
    description:
      'The runners that run jobs of a project, including shared ones if it uses them, the oldest first. Masters only.',
    args: {
      ...list.args,
      project: t.arg.id({ required: true, description: 'The project, by id or full path.' }),
    },
    resolve: async (_root, { project, ...args }, ctx) =>
      listRunners(args, ctx, ofProject(await findRunnersProject(project, ctx))),
  }),
  runner: t.prismaField({
    type: Runner,
    extensions: internal,
    description:
      'A runner, for administrators and for masters of a project that it is enabled in; a shared one for all signed-in users.',
    args: { id: t.arg.int({ required: true, description: 'The id of the runner.' }) },
    resolve: async (query, _root, { id }, ctx) => {
      await findRunner(id, reasonNotToShow, ctx);
      return storedRecord(ctx, 'runner', id, query);
    },
  }),
  registeredRunner: t.field({
    type: 'Int',
    extensions: internal,
    description: 'The id of the runner with this token.',
    args: {
      token: t.arg.string({ required: true, description: 'The token of the runner itself.' }),
    },
    resolve: async (_root, { token }, ctx) => (await findRunnerByToken(token, ctx)).id,
  }),
}));
