import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CgiSite, installPackages, startCgiSite } from './cgi-site.ts';

const program = '/usr/lib/cgit/cgit.cgi';

/**
 * cgit with its defaults, without a highlighter and without its cache, for one repository named
 * `app`. Null if it cannot be installed.
 */
export async function startCgit(folder: string, repository: string): Promise<CgiSite | null> {
  if (!existsSync(program)) installPackages('cgit');
  if (!existsSync(program)) return null;
  await mkdir(folder, { recursive: true });
  const configuration = join(folder, 'cgitrc');
  await writeFile(
    configuration,
    `css=/cgit.css\nvirtual-root=/\nrepo.url=app\nrepo.path=${repository}\nrepo.desc=App\n`,
  );
  const site = await startCgiSite(folder, {
    program,
    environment: { CGIT_CONFIG: configuration },
  });
  return { ...site, title: `cgit behind ${site.title}` };
}
