import type { Context } from '../kernel/context.ts';
import { invalid, refuseFaults } from '../kernel/errors.ts';
import { onUniqueViolation } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { sourceColumns } from '../members/members.ts';
import type { GroupOrProjectRef } from '../projects/group-or-project.ts';
import { keyFaults, valueFaults } from './faults.ts';
import { findVariable, findVariableSource, variableNotFound } from './find.ts';

export interface NewVariable {
  readonly key: string;
  readonly value: string;
  readonly isProtected: boolean;
}

/**
 * Adds a variable to a group or project and returns its id; throws if the key is invalid or taken
 * (specification, "Group variables").
 */
export async function createVariable(
  ref: GroupOrProjectRef,
  { key, value, isProtected }: NewVariable,
  ctx: Context,
): Promise<number> {
  const source = await findVariableSource(ref, ctx);
  refuseFaults({ key: keyFaults(key), value: valueFaults(value) });
  const valueSealed = ctx.secrets.seal(value);
  const data = { ...sourceColumns(source), key, valueSealed, isProtected };
  const { id } = await ctx.db.variable
    .create({ data, select: { id: true } })
    .catch(onUniqueViolation(() => invalid({ key: ['has already been taken'] })));
  return id;
}

/** Updates the given fields of a variable, but not its key; returns its id. */
export async function updateVariable(
  ref: GroupOrProjectRef,
  key: string,
  { value, isProtected }: Partial<Pick<NewVariable, 'value' | 'isProtected'>>,
  ctx: Context,
): Promise<number> {
  const { id, source } = await findVariable(ref, key, ctx);
  refuseFaults({ value: value === undefined ? [] : valueFaults(value) });
  const { count } = await ctx.db.variable.updateMany({
    where: { id },
    data: {
      ...(value !== undefined && { valueSealed: ctx.secrets.seal(value) }),
      ...(isProtected !== undefined && { isProtected }),
    },
  });
  if (count === 0) throw variableNotFound(source);
  return id;
}

export async function deleteVariable(
  ref: GroupOrProjectRef,
  key: string,
  ctx: Context,
): Promise<void> {
  const { id, updatedAt, source } = await findVariable(ref, key, ctx);
  refuseModified({ updatedAt }, ctx);
  const { count } = await ctx.db.variable.deleteMany({ where: { id } });
  if (count === 0) throw variableNotFound(source);
}
