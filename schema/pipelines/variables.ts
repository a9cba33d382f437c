import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, recordNotFound } from '../kernel/errors.ts';
import { openIfReadable } from '../kernel/private-token.ts';
import { internal } from '../kernel/public.ts';
import { ifVisible, orThrow } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { mostVariables } from '../variables/pipeline-variables.ts';
import { findPipelineProject, pipelineProjectById } from './find.ts';
import { canSeePipelineVariables } from './policy.ts';
import { Pipeline } from './types.ts';

interface GivenVariable {
  readonly key: string;
  readonly value: string;
}

const PipelineVariable = builder.objectRef<GivenVariable>('PipelineVariable').implement({
  description: 'What the jobs of one pipeline find in their environment, besides other variables.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'The name.' }),
    value: t.exposeString('value', { description: 'The value.' }),
  }),
});

export const PipelineVariableInput = builder.inputType('PipelineVariableInput', {
  description: 'A variable for the jobs of a pipeline.',
  fields: (t) => ({
    key: t.string({ required: true, description: 'The name: letters, digits and underscores.' }),
    value: t.string({ required: true, description: 'The value.' }),
  }),
});

/** The encrypted variables of pipelines, which may be long: listings leave them out. */
const sealedOf = batched<number, string | null, Pick<Context, 'db'>>(async (ids, { db }) => {
  const pipelines = await db.pipeline.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, variablesSealed: true },
  });
  return new Map(pipelines.map(({ id, variablesSealed }) => [id, variablesSealed]));
}, null);

interface Given {
  readonly id: number;
  readonly userId: number | null;
}

type PipelineProject = Awaited<ReturnType<typeof findPipelineProject>>;

/** The variables given to a pipeline; throws unless the viewer may see them. */
async function variablesOf(
  project: PipelineProject,
  pipeline: Given,
  ctx: Context,
): Promise<GivenVariable[]> {
  if (!canSeePipelineVariables(signedIn(ctx), project.level, project, pipeline)) throw forbidden();
  const sealed = await sealedOf(pipeline.id, ctx);
  if (sealed === null) return [];
  const values = valuesOf(openIfReadable(sealed, ctx));
  return Object.entries(values).map(([key, value]) => ({ key, value: String(value) }));
}

/** The values of a row, as JSON; none if it is damaged. */
function valuesOf(json: string | null): object {
  try {
    return Object(JSON.parse(json ?? '{}'));
  } catch {
    return {};
  }
}

const variablesCost = { field: 1, multiplier: mostVariables };

builder.prismaObjectField(Pipeline, 'variables', (t) =>
  t.field({
    type: [PipelineVariable],
    nullable: true,
    complexity: variablesCost,
    description:
      'The variables given to it by its trigger, its schedule or the user who created it. Null for a user who neither created it nor has the access level MASTER.',
    select: { id: true, projectId: true, userId: true },
    resolve: (pipeline, _args, ctx) =>
      ifVisible(async () =>
        variablesOf(await pipelineProjectById(pipeline.projectId, ctx), pipeline, ctx),
      ),
  }),
);

builder.queryField('pipelineVariables', (t) =>
  t.field({
    type: [PipelineVariable],
    extensions: internal,
    complexity: variablesCost,
    args: {
      project: t.arg.id({ required: true }),
      id: t.arg.int({ required: true, description: 'The id of the pipeline.' }),
    },
    resolve: async (_root, { project: ref, id }, ctx) => {
      const project = await findPipelineProject(ref, ctx);
      const where = { id, projectId: project.id };
      const select = { id: true, userId: true } as const;
      const pipeline = await orThrow(ctx.db.pipeline.findFirst({ where, select }), recordNotFound);
      return variablesOf(project, pipeline, ctx);
    },
  }),
);
