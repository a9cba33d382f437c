import { rm } from 'node:fs/promises';
import { expect } from 'vitest';
import { commit, git, workTree } from './git.ts';
import type { TestUser } from './seed.ts';
import { basicUserShape, instant } from './shapes.ts';

/** A merge request created for a test. */
export interface TestMergeRequest {
  readonly id: number;
  readonly iid: number;
}

/**
 * Pushes `master` with a commit, and each of `branches` with one more commit; gives the commits.
 */
export async function pushBranches(
  remote: string,
  branches: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const folder = await workTree({ 'README.md': '# App\n' });
  const commits = new Map([['master', await git(folder, 'rev-parse', 'HEAD')]]);
  for (const name of branches) {
    await git(folder, 'checkout', '--quiet', '-b', name, 'master');
    commits.set(name, await commit(folder, { [`${name}.txt`]: name }, `Change ${name}`));
  }
  await git(folder, 'push', '--quiet', remote, '--all');
  await rm(folder, { recursive: true });
  return commits;
}

interface MergeRequestTraits extends TestMergeRequest {
  readonly projectId: number;
  readonly fullPath: string;
  readonly sourceProjectId?: number;
  readonly title: string;
  readonly sourceBranch: string;
  readonly sha: string | undefined;
  readonly author: TestUser;
}

/** The listed shape of a merge request into `master` of which only the title was set. */
export const mergeRequestShape = (url: string, traits: MergeRequestTraits) => ({
  id: traits.id,
  iid: traits.iid,
  project_id: traits.projectId,
  title: traits.title,
  description: null,
  state: 'opened',
  created_at: instant,
  updated_at: instant,
  target_branch: 'master',
  source_branch: traits.sourceBranch,
  upvotes: 0,
  downvotes: 0,
  author: basicUserShape(url, traits.author),
  assignee: null,
  source_project_id: traits.sourceProjectId ?? traits.projectId,
  target_project_id: traits.projectId,
  labels: [],
  work_in_progress: false,
  milestone: null,
  merge_when_pipeline_succeeds: false,
  merge_status: expect.stringMatching(/^(?:unchecked|can_be_merged)$/),
  sha: traits.sha,
  merge_commit_sha: null,
  user_notes_count: 0,
  discussion_locked: null,
  should_remove_source_branch: null,
  force_remove_source_branch: false,
  web_url: `${url}/${traits.fullPath}/merge_requests/${traits.iid}`,
  time_stats: {
    time_estimate: 0,
    total_time_spent: 0,
    human_time_estimate: null,
    human_total_time_spent: null,
  },
});
