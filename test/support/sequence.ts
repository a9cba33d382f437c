import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that took more than 10 s each on two idle cores, slowest first. */
const slowest = [
  'rest/bad-input-everywhere',
  'server/kill-hooks',
  'server/runner-kill',
  'server/processes',
  'server/kill-jobs',
  'schema/listing-plans',
  'server/kill',
  'server/runner-jobs',
  'server/memory-pressure',
  'pages/pipelines',
  'pages/follow-trace',
  'rest/projects-many',
  'server/interrupted-jobs',
  'server/costly-requests/git',
  'server/costly-requests/ci-files',
  'pages/two-factor',
  'server/private-folders',
  'server/costly-requests/streams',
  'server/costly-requests/hooks',
  'server/command-line',
  'rest/forks',
  'server/hook-deliveries',
  'server/stale-locks',
  'pages/browse-walk',
  'server/kill-traces',
  'server/embedded-postgres',
  'rest/imports',
  'pages/applications',
  'server/unusual-refs',
  'server/kill-merges',
  'server/git-branch-rules',
  'pages/explorer-use',
  'server/subscriptions',
  'server/migrations',
  'server/sign-in-limits',
  'server/costly-requests/files',
  'server/costly-requests/traces',
];

/** Starts with the slowest files, so that no core is idle at the end when nothing is cached. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = slowest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return rank < 0 ? slowest.length : rank;
}
