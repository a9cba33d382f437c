import { join } from 'node:path';
import { afterAll } from 'vitest';
import { gitStore } from '../../server/git/store.ts';
import { jobFiles } from '../../server/job-files/job-files.ts';
import { jobFolders } from '../../server/job-files/paths.ts';
import { localPlaces } from '../../server/objects/places.ts';
import { incomingFiles } from '../../server/uploads/incoming.ts';
import { addActivity } from './activity-rows.ts';
import { addEnvironments, addJobs, addSchedules, addTriggers } from './job-rows.ts';
import { addMergeRequest } from './merge-request-rows.ts';
import { addAuthorization } from './oauth-rows.ts';
import { addPipelines } from './pipeline-rows.ts';
import { addPlanning } from './planning-rows.ts';
import { addReleaseLinks, addReleases } from './release-rows.ts';
import { addRunners } from './runner-rows.ts';
import { addSnippetsAndKeys } from './snippet-rows.ts';
import { world } from './world.ts';

/** The number of rows of each kind that `grow` adds. */
export const rowCount = 50;

/** A service with one row of everything that is listed, and `grow`, which adds fifty. */
export async function growingWorld() {
  const { as, seed, db: plain, databaseUrl, dataFolder, root } = await world();
  const git = gitStore({ storages: new Map([['default', join(dataFolder, 'repositories')]]) });
  const folders = jobFolders(dataFolder);
  const incoming = incomingFiles(folders.artifacts);
  const files = jobFiles({ folders, places: localPlaces(dataFolder), incoming });
  afterAll(async () => {
    await incoming.close();
    await git.close();
  });

  const ada = await seed.user('ada');
  const group = await seed.group('acme', { owner: ada }, { visibility: 'public' });
  await seed.group('acme/tools', {}, { visibility: 'public' });
  const project = await seed.project('acme/app', { master: ada }, { visibility: 'public' });
  const sha = await seed.push('acme/app', { 'README.md': '# App' });
  const { namespaceId, ...model } = await plain.project.findUniqueOrThrow({
    where: { id: project.id },
  });
  const tool = await seed.project('ada/tool', {}, { visibility: 'public' });
  await plain.project.update({ where: { id: tool.id }, data: { forkedFromId: project.id } });
  const places = { projectId: project.id, groupId: group.id };
  const owners = [ada.id, root.id];
  const first = await addPlanning(plain, places, 1, {
    authorId: (await seed.user('bob')).id,
    assigneeIds: owners,
  });
  const issue = { id: String(project.id), issue_iid: 2 };
  const mergeRequestTraits = {
    projectId: project.id,
    commit: sha,
    assigneeId: ada.id,
    milestoneId: first.projectMilestoneId,
  };
  const firstMerge = await addMergeRequest(plain, 1, { ...mergeRequestTraits, authorId: ada.id });
  // the branch of the pipelines
  await plain.mergeRequest.update({
    where: { id: firstMerge.id },
    data: { sourceBranch: 'master' },
  });
  const mergeRequest = { id: String(project.id), merge_request_iid: firstMerge.iid };
  await plain.project.update({ where: { id: project.id }, data: { snippetsEnabled: true } });
  const snippetTraits = { projectId: project.id, ownerIds: owners };
  const firstSnippet = await addSnippetsAndKeys(plain, 1, { ...snippetTraits, authorId: ada.id });
  const snippet = { id: String(project.id), snippet_id: firstSnippet.snippetId };
  const activityTraits = { projectId: project.id, authorIds: owners, noteId: first.noteId };
  await addActivity(plain, 1, activityTraits);
  await addRunners(plain, 1, project.id);
  const jobTraits = { projectId: project.id, userId: ada.id };
  await addPipelines(plain, 1, { ...jobTraits, sha });
  const firstComment = { projectId: project.id, sha, authorId: ada.id };
  await plain.commitComment.create({ data: { ...firstComment, note: 'a note' } });
  await plain.commitStatus.create({ data: { ...firstComment, name: 'check', state: 'success' } });
  const { id: pipelineId } = await plain.pipeline.findFirstOrThrow();
  const { id: runnerId } = await plain.runner.findFirstOrThrow({ where: { isShared: true } });
  await addJobs(plain, 1, { ...jobTraits, pipelineId, runnerId });
  await addTriggers(plain, 0, 1, jobTraits);
  const releaseTraits = {
    projectId: project.id,
    authorId: ada.id,
    milestoneId: first.projectMilestoneId,
  };
  const firstRelease = await addReleases(plain, 0, 1, releaseTraits);
  await addSchedules(plain, 0, 1, jobTraits);
  await addEnvironments(plain, 0, 1, jobTraits);
  const token = (name: string) => ({
    userId: ada.id,
    kind: 'impersonation' as const,
    name,
    digest: Buffer.from(name),
    scopes: ['api'],
  });
  await plain.accessToken.create({ data: token('first') });
  await addAuthorization(plain, 1, ada.id);
  const personal = await plain.namespace.findUniqueOrThrow({ where: { ownerId: ada.id } });

  /** Adds fifty rows of everything. */
  async function grow() {
    const numbers = Array.from({ length: rowCount }, (_, n) => n);
    await plain.user.createMany({
      data: numbers.map((n) => ({
        username: `member-${n}`,
        usernameKey: `member-${n}`,
        email: `member-${n}@example.com`,
        emailKey: `member-${n}@example.com`,
        name: `Person ${n}`,
        projectsLimit: 1,
        lastActivityOn: new Date(),
      })),
    });
    await plain.email.createMany({
      data: [ada, root].flatMap(({ id: userId }) =>
        numbers
          .map((n) => `further-${n}-${userId}@example.com`)
          .map((email) => ({
            userId,
            email,
            emailKey: email,
          })),
      ),
    });
    await plain.accessToken.createMany({
      data: numbers.map((n) => token(`token-${n}`)),
    });
    const users = await plain.user.findMany({ where: { username: { startsWith: 'member-' } } });
    await plain.member.createMany({
      data: users.flatMap(({ id: userId }) => [
        { userId, namespaceId: group.id, accessLevel: 30 },
        { userId, projectId: project.id, accessLevel: 30 },
      ]),
    });
    await plain.protectedBranch.createMany({
      data: numbers.map((n) => ({ projectId: project.id, name: `stable-${n}` })),
    });
    await plain.protectedTag.createMany({
      data: numbers.map((n) => ({ projectId: project.id, name: `v${n}.*` })),
    });
    await plain.commitComment.createMany({
      data: users.map(({ id: authorId }) => ({
        projectId: project.id,
        sha,
        note: 'a note',
        authorId,
      })),
    });
    const comments = await plain.commitComment.findMany({ select: { id: true } });
    const replies = await plain.commitComment.createManyAndReturn({
      data: comments.map(() => ({ ...firstComment, note: 'a reply', isReply: true })),
      select: { id: true },
    });
    await plain.threadComment.createMany({
      data: comments.flatMap(({ id }, n) =>
        [id, replies[n]?.id ?? 0].map((commentId) => ({
          commentId,
          firstCommentId: id,
          startedBy: id,
        })),
      ),
    });
    await plain.commitStatus.createMany({
      data: users.map(({ id: authorId }, n) => ({
        projectId: project.id,
        sha,
        name: `check-${n}`,
        state: 'success' as const,
        authorId,
      })),
    });
    await addJobs(plain, rowCount, { ...jobTraits, pipelineId, runnerId });
    await addTriggers(plain, 1, rowCount, jobTraits);
    await addReleases(plain, 1, rowCount, releaseTraits);
    await addReleaseLinks(plain, rowCount, firstRelease.id);
    await addSchedules(plain, 1, rowCount, jobTraits);
    await addEnvironments(plain, 1, rowCount, jobTraits);
    for (const [n, { id: authorId }] of users.entries()) {
      await addPlanning(plain, places, n + 2, { authorId, assigneeIds: owners }, first);
      await addSnippetsAndKeys(plain, n + 2, { ...snippetTraits, authorId }, firstSnippet);
      await addActivity(plain, n + 2, activityTraits);
      await addRunners(plain, n + 2, project.id);
      await addAuthorization(plain, n + 2, ada.id);
      await addPipelines(plain, 1, { ...jobTraits, sha });
      for (const [m, milestoneId] of [first.projectMilestoneId, first.groupMilestoneId].entries()) {
        const number = 2 * n + m + 2;
        await addMergeRequest(
          plain,
          number,
          { ...mergeRequestTraits, authorId, milestoneId },
          firstMerge,
        );
      }
    }
    for (const n of numbers) {
      await seed.group(`group-${n}`, { guest: ada }, { visibility: 'public' });
      await seed.group(`acme/group-${n}`, {}, { visibility: 'public' });
    }
    await growProjects('acme', namespaceId, numbers);
    await growProjects('ada', personal.id, numbers, { forkedFromId: project.id });
  }

  /** Adds fifty public projects to a namespace. */
  async function growProjects(
    above: string,
    id: number,
    numbers: readonly number[],
    traits: object = {},
  ) {
    const { id: _, ...columns } = model;
    await plain.project.createMany({
      data: numbers.map((n) => ({
        ...columns,
        ...traits,
        namespaceId: id,
        name: `project-${n}`,
        path: `project-${n}`,
        fullName: `${above} / project-${n}`,
        fullPath: `${above}/project-${n}`,
        diskPath: `${above}/${n}`,
        runnersTokenDigest: Buffer.from(`digest-${above}-${n}`),
      })),
    });
  }

  return {
    as,
    plain,
    databaseUrl,
    root,
    git,
    jobFiles: files,
    ada,
    group,
    project,
    sha,
    first,
    issue,
    mergeRequest,
    snippet,
    firstMerge,
    firstSnippet,
    pipelineId,
    runnerId,
    grow,
  };
}
