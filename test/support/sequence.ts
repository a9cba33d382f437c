import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that took more than 10 s each on two idle cores, slowest first. */
const slowest = [
  'server/package',
  'rest/bad-input-everywhere',
  'server/kill-hooks',
  'server/runner-kill',
  'server/processes',
  'pages/api-docs',
  'server/kill-jobs',
  'pages/two-factor',
  'server/kill',
  'server/backup',
  'server/hanging-object-store',
  'server/commands',
  'server/runner-jobs',
  'server/git-branch-rules',
  'schema/listing-plans',
  'server/unusual-refs',
  'pages/pipelines',
  'pages/follow-trace',
  'server/kill-traces',
  'server/costly-requests/ci-files',
  'server/interrupted-jobs',
  'server/costly-requests/streams',
  'server/private-folders',
  'rest/imports',
  'pages/browse-walk',
  'rest/forks',
  'pages/applications',
  'server/commands-doctor',
  'server/wrong-installation',
  'server/doctor-items',
  'server/rolling-restart',
  'server/hook-deliveries',
  'pages/explorer-use',
  'server/subscriptions',
  'server/migrations',
  'server/costly-requests/files',
  'server/embedded-postgres',
  'server/costly-requests/hooks',
  'server/costly-requests/git',
  'server/kill-merges',
  'server/sign-in-limits',
  'rest/generated-clients',
  'server/jobs',
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
