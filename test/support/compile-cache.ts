/** Node's variable for the folder in which it stores compiled modules. */
export const compileCacheVariable = 'NODE_COMPILE_CACHE';

/**
 * The variable for programs that do not inherit the environment: all of a run share one folder, since
 * compiling is half of the start of a server.
 */
export const compileCache = (): Readonly<Record<string, string>> => ({
  [compileCacheVariable]: process.env[compileCacheVariable] ?? '',
});
