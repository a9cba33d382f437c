export { programVersion } from '../../prisma/program-version.ts';

/** The version of the v4 API that this service implements. */
export const interfaceVersion = '10.1.0';

export const revision = 'millrace';
