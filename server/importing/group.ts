import type { z } from 'zod';
import { createGroup } from '../../schema/groups/create.ts';
import { narrower } from '../../schema/kernel/access.ts';
import { DomainError } from '../../schema/kernel/errors.ts';
import { routeKey } from '../../schema/kernel/names.ts';
import { importMembers } from './members.ts';
import type { ImportParts } from './parts.ts';
import { importLabels, importMilestones } from './planning.ts';
import { importProject } from './project.ts';
import { groupShape, projectReferenceShape } from './shapes.ts';
import { cut, longestTitle } from './texts.ts';

type Original = z.infer<typeof groupShape>;

/** More than any server allows; a source could answer with groups for ever. */
const deepest = 30;

interface TargetGroup {
  readonly id: number;
  readonly fullPath: string;
  readonly ancestorIds: readonly number[];
}

/**
 * Imports the group `ref` (an id or a full path) of the source with its projects and subgroups into
 * the group `to`; null for the group with the same path as at the source, '' for the top level.
 * Projects that cannot be imported are left out. Returns the path of the group here.
 */
export async function importGroup(
  ref: string,
  to: string | null,
  parts: ImportParts,
  depth = 1,
): Promise<string> {
  if (depth > deepest) throw new Error('The groups of the source are too deep.');
  const { source, report } = parts;
  const original = await source.read(`groups/${encodeURIComponent(ref)}`, groupShape);
  const home = original.full_path.split('/').slice(0, -1).join('/');
  const target = await targetGroupOf(original, to ?? home, parts);
  const { id, fullPath, ancestorIds } = target;
  const path = `groups/${original.id}`;
  const owner = { namespaceId: id };
  const part = (name: string, work: () => Promise<void>) =>
    report.part(`${fullPath} ${name}`, work);
  await part('members', () => importMembers(path, owner, parts));
  const planner = { path, fullPath, owner, ancestorIds };
  await importLabels(planner, parts);
  await importMilestones(planner, parts);
  await part('projects', async () => {
    // others are shared with the group, and belong to another one
    const query = { with_shared: 'false' };
    for await (const page of source.pages(`${path}/projects`, projectReferenceShape, query)) {
      for (const project of page) {
        if (!isIn(project.path_with_namespace, original)) continue;
        await unlessRefused(project.path_with_namespace, parts, () =>
          importProject(String(project.id), fullPath, parts),
        );
      }
    }
  });
  await part('subgroups', async () => {
    for await (const page of source.pages(`${path}/subgroups`, groupShape)) {
      for (const group of page) {
        if (!isIn(group.full_path, original)) continue;
        await unlessRefused(group.full_path, parts, () =>
          importGroup(String(group.id), fullPath, parts, depth + 1),
        );
      }
    }
  });
  return fullPath;
}

const isIn = (path: string, group: Original): boolean =>
  path.split('/').slice(0, -1).join('/') === group.full_path;

/** The other projects are imported also if one cannot be; the command fails at its end. */
async function unlessRefused(
  name: string,
  { report, signal }: ImportParts,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Error)) throw error;
    report.fail(`${name}: ${messageOf(error)}`);
  }
}

const messageOf = (error: Error): string => {
  const texts = error instanceof DomainError ? Object.values(error.fields ?? {}).flat() : [];
  return texts.length > 0 ? texts.join(', ') : error.message;
};

/** As `targetOf` for projects. */
async function targetGroupOf(
  original: Original,
  to: string,
  parts: ImportParts,
): Promise<TargetGroup> {
  const { source, db, report } = parts;
  const address = source.addressOf(`groups/${original.id}`);
  const parent =
    to === ''
      ? null
      : await db.namespace.findFirst({
          where: { route: { key: routeKey(to) }, kind: 'group', isRemoved: false },
          select: { id: true, fullPath: true, visibility: true },
        });
  if (to !== '' && !parent) throw new Error(`There is no group ${to}: name one with --to.`);
  const fullPath = parent ? `${parent.fullPath}/${original.path}` : original.path;
  const find = () =>
    db.namespace.findFirst({
      where: { route: { key: routeKey(fullPath) }, isRemoved: false },
      select: { id: true, fullPath: true, ancestorIds: true, import: { select: { source: true } } },
    });
  let group = await find();
  if (!group) {
    const { name, path, description, visibility } = original;
    const settings = {
      name,
      path,
      description: cut(description ?? '', longestTitle),
      visibility: parent ? narrower(visibility, parent.visibility) : visibility,
    };
    await createGroup(settings, parent?.id ?? null, parts, (tx, namespaceId) =>
      tx.import.create({ data: { source: address, namespaceId }, select: { id: true } }),
    );
    report.add('groups', fullPath);
    group = await find();
  }
  if (group?.import?.source !== address) {
    throw new Error(`${fullPath} exists and is no import of ${address}: name another --to.`);
  }
  return group;
}
