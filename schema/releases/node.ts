import { byRecord, defineRecord } from '../kernel/nodes.ts';
import { accessibleProject, projectOfRecord } from '../projects/find.ts';
import { canDownloadCode } from '../projects/policy.ts';

const ReleaseLinkNode = defineRecord('ReleaseLink', {
  model: 'releaseLink',
  select: (ctx) =>
    ({
      id: true,
      release: { select: { projectId: true, tagName: true, project: projectOfRecord(ctx) } },
    }) as const,
  check: ({ release }, ctx) => accessibleProject(release.project, ctx, canDownloadCode),
});

/** For fields of a link by project, tag and id. */
export const byReleaseLink = byRecord(ReleaseLinkNode, {
  project: ({ release }) => String(release.projectId),
  tagName: ({ release }) => release.tagName,
  id: ({ id }) => id,
});
