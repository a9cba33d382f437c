import { Access } from '../../schema/kernel/access.ts';
import type { ImportParts } from './parts.ts';
import { memberShape } from './shapes.ts';

/** The highest level here that gives no more rights; null if there is none. Projects have no owners. */
function levelOf(theirs: number, isProject: boolean): number | null {
  const highest = isProject ? Access.master : Access.owner;
  const levels = Object.values(Access).filter((level) => level > Access.none && level <= highest);
  return levels.findLast((level) => level <= theirs) ?? null;
}

type Parent = { readonly projectId: number } | { readonly namespaceId: number };

/**
 * The members of the project or group at `path` of the source who are users here. Members that
 * exist keep their level.
 */
export async function importMembers(
  path: string,
  parent: Parent,
  { source, people, db, report }: ImportParts,
): Promise<void> {
  for await (const page of source.pages(`${path}/members`, memberShape)) {
    for (const member of page) {
      const userId = await people.find(member);
      const accessLevel = levelOf(member.access_level, 'projectId' in parent);
      if (userId === null || accessLevel === null) continue;
      const expiresAt = member.expires_at ?? null;
      const { count } = await db.member.createMany({
        data: [{ ...parent, userId, accessLevel, expiresAt }],
        skipDuplicates: true,
      });
      if (count > 0) report.add('members', member.username);
    }
  }
}
