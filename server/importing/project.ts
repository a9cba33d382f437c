import { Prisma } from '../../prisma/client.ts';
import { narrower, type Visibility } from '../../schema/kernel/access.ts';
import { transact } from '../../schema/kernel/storage-errors.ts';
import { importIssues } from './issues.ts';
import { importMembers } from './members.ts';
import { importMergeRequests } from './merge-requests.ts';
import type { ImportParts } from './parts.ts';
import { importLabels, importMilestones } from './planning.ts';
import type { ProjectImport } from './project-import.ts';
import { importReleases } from './releases.ts';
import { importRepository, importWiki } from './repository.ts';
import { hasPrivatePart, projectShape } from './shapes.ts';
import { importSnippets } from './snippets.ts';
import { type Original, type Target, targetOf } from './target.ts';
import { textsOf } from './texts.ts';

/**
 * Imports the project `ref` (an id or a full path) of the source into the namespace `to`, by default
 * the one with the same path. What an interrupted import has added is left as it is; a finished one
 * is not changed. Returns the path of the project here.
 */
export async function importProject(
  ref: string,
  to: string | null,
  parts: ImportParts,
): Promise<string> {
  const { source, people, importer, report } = parts;
  const original = await source.read(`projects/${encodeURIComponent(ref)}`, projectShape);
  const path = `projects/${original.id}`;
  const home = original.path_with_namespace.split('/').slice(0, -1).join('/');
  const target = await targetOf(original, to ?? home, parts);
  if (target.isFinished) return target.fullPath;
  const texts = textsOf(people, importer.id, original.web_url);
  const begun = { ...parts, original, target, path };
  await importRepository(begun);
  const part = (name: string, work: () => Promise<void>) =>
    report.part(`${target.fullPath} ${name}`, work);
  const owner = { projectId: target.id };
  await part('members', () => importMembers(path, owner, parts));
  const { ancestorIds } = target.namespace;
  const planner = { path, fullPath: target.fullPath, owner, ancestorIds };
  const labels = await importLabels(planner, parts);
  const milestones = await importMilestones(planner, parts);
  const references = { labels, milestones: milestones.titles };
  const project = { ...begun, texts, references, milestones };
  await part('releases', () => importReleases(project));
  await part('issues', () => importIssues(project));
  await part('merge requests', () => importMergeRequests(project));
  await part('snippets', () => importSnippets(project));
  if (original.wiki_enabled !== false) await importWiki(project);
  await finish(project);
  report.add('projects', target.fullPath);
  return target.fullPath;
}

/**
 * The original's visibility, or that of the group if it is narrower. Parts that only members see make
 * the project private: here all readers of a project see all of it.
 */
function visibilityIn({ namespace }: Target, original: Original): Visibility {
  const wanted = hasPrivatePart(original) ? 'private' : original.visibility;
  return namespace.kind === 'group' ? narrower(wanted, namespace.visibility) : wanted;
}

/** Shows the project to its readers, and lets its members push. */
async function finish({ original, target, db, report }: ProjectImport): Promise<void> {
  const { created_at, last_activity_at, archived } = original;
  const visibility = visibilityIn(target, original);
  if (visibility !== original.visibility) {
    report.leaveOut(`${target.fullPath}: it is ${visibility} here, not ${original.visibility}`);
  }
  await transact(db, async (tx) => {
    await tx.project.update({
      where: { id: target.id },
      data: {
        importStatus: 'finished',
        visibility,
        isArchived: archived ?? false,
        createdAt: created_at,
        lastActivityAt: last_activity_at ?? created_at,
      },
      select: { id: true },
    });
    await tx.$executeRaw(Prisma.sql`
      UPDATE projects SET open_issues_count =
        (SELECT count(*) FROM issues
         WHERE project_id = ${target.id} AND state = 'opened' AND NOT is_confidential)
      WHERE id = ${target.id}`);
    await tx.import.update({
      where: { projectId: target.id },
      data: { finishedAt: new Date() },
      select: { id: true },
    });
  });
}
