import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, though some are short to read. */
const long =
  /bad-input-everywhere|kill[\w-]*|processes|runner-folders|embedded|listing-plans|migrations|hook-deliveries|git-branch-rules|pages\/pipelines\.|two-factor\./;

/** Those that take longest begin, so that no core waits for the last of them when all is new. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Number(long.test(b.moduleId)) - Number(long.test(a.moduleId)));
  }
}
