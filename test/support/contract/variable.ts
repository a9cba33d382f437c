/** The variable with the OpenAPI document of this run, which `global-setup.ts` writes. */
export const contractVariable = 'MILLRACE_TEST_OPENAPI';
