import { configDefaults, defineConfig } from 'vitest/config';
import usual from '../../vitest.config.ts';

/** The configuration of `npm run test:deployments`: the suites of the wire, git and git-lfs, and those of this folder. */
export default defineConfig({
  test: {
    ...usual.test,
    include: [
      'test/deployments/**/*.test.ts',
      'test/rest/**/*.test.ts',
      'test/soap/**/*.test.ts',
      'test/server/git*.test.ts',
      'test/server/lfs.test.ts',
    ],
    exclude: configDefaults.exclude,
    // it calls the setup of the other suites
    globalSetup: ['test/deployments/setup.ts'],
  },
});
