/**
 * The variable with the OpenAPI document of this run: the generated one, or the one that
 * `global-setup.ts` writes for tests that run without `npm test`.
 */
export const contractVariable = 'MILLRACE_TEST_OPENAPI';
