import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that took more than 10 s each on two idle cores, slowest first. */
const slowest = [
  'thorough/installation/package',
  'thorough/inputs/bad-input-everywhere',
  'thorough/kills/kill-hooks',
  'thorough/kills/runner-kill',
  'thorough/installation/processes',
  'pages/api-docs',
  'thorough/kills/kill-jobs',
  'pages/two-factor',
  'thorough/kills/kill',
  'thorough/installation/backup',
  'thorough/load/hanging-object-store',
  'thorough/installation/commands',
  'server/runner-jobs',
  'server/git-branch-rules',
  'schema/listing-plans',
  'thorough/inputs/unusual-refs',
  'pages/pipelines',
  'pages/follow-trace',
  'thorough/kills/kill-traces',
  'thorough/load/ci-files',
  'thorough/kills/interrupted-jobs',
  'thorough/load/streams',
  'thorough/installation/private-folders',
  'rest/imports',
  'pages/browse-walk',
  'rest/forks',
  'pages/applications',
  'thorough/installation/commands-doctor',
  'thorough/installation/wrong-installation',
  'thorough/installation/doctor-items',
  'thorough/kills/rolling-restart',
  'server/hook-deliveries',
  'pages/explorer-use',
  'server/subscriptions',
  'thorough/installation/migrations',
  'thorough/load/files',
  'thorough/installation/embedded-postgres',
  'thorough/load/hooks',
  'thorough/load/git',
  'thorough/kills/kill-merges',
  'server/sign-in-limits',
  'thorough/inputs/generated-clients',
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
