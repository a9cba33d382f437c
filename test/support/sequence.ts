import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest test files, not necessarily the largest. */
const long =
  /bad-input-everywhere|kill[\w-]*|processes|runner-folders|embedded|listing-plans|migrations|hook-deliveries|git-branch-rules|pages\/pipelines\.|two-factor\./;

/** Starts with the slowest files, so that no core is idle at the end when nothing is cached. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Number(long.test(b.moduleId)) - Number(long.test(a.moduleId)));
  }
}
