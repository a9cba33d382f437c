import { gitEnvironment } from '../../server/git/process/environment.ts';
import { type CgiSite, startCgiSite } from './cgi-site.ts';

/** `git http-backend` behind a usual web server, for the repositories in `root`. */
export type Backend = CgiSite;

const program = '/usr/lib/git-core/git-http-backend';

/** The settings that the service passes to git, so that both do the same work; and pushes are enabled. */
export const backendEnvironment = (root: string): Readonly<Record<string, string>> => {
  const count = Number(gitEnvironment.GIT_CONFIG_COUNT);
  return {
    ...gitEnvironment,
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: 'http.receivepack',
    [`GIT_CONFIG_VALUE_${count}`]: 'true',
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: '1',
  };
};

/** Starts it below `folder`, with nginx and fcgiwrap, or a small CGI server if these are not available. */
export async function startBackend(folder: string, root: string): Promise<Backend> {
  const site = await startCgiSite(folder, { program, environment: backendEnvironment(root) });
  return { ...site, title: `git http-backend behind ${site.title}, without credentials` };
}
