import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/sequence.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // `npm run test:deployments`, which needs more programs
    exclude: [...configDefaults.exclude, 'test/deployments/**'],
    // one PostgreSQL for the whole run, a database of its own for each file
    globalSetup: ['test/support/global-setup.ts'],
    // no log of any file holds a secret that the file made, no statement leaves its transaction, and every
    // response of REST is documented
    setupFiles: [
      'test/support/check-logs.ts',
      'test/support/check-transactions.ts',
      'test/support/contract/check-responses.ts',
    ],
    // the files of a worker share its modules, whose reading was two fifths of the time; what they
    // test they start anew, each a service and a database of its own
    isolate: false,
    // one for each core: with the programs that files start, they leave less than a tenth of it idle
    maxWorkers: '100%',
    // what a file makes soon goes with it: less is copied when more of it fits
    execArgv: ['--max-semi-space-size=64'],
    sequence: { sequencer: LongestFirst },
    // more than a poll waits, so that a slow machine fails no test
    testTimeout: 90_000,
    hookTimeout: 60_000,
    // waiting ends when the state is reached: the limit only ends a test that fails
    expect: { poll: { timeout: 20_000 } },
    // node itself loads the modules, as in production: in Vite's form of them each use of an import
    // calls a getter, a tenth of the processor time of long files
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
