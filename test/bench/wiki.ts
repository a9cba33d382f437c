import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import process from 'node:process';
import { git } from '../support/git.ts';

const pageCount = 5000;
const folderCount = 50;

/** Creates the repository of a wiki with 5 000 pages in 50 folders; gives their slugs. */
export async function importWiki(folder: string): Promise<readonly string[]> {
  const slugs = Array.from(
    { length: pageCount },
    (_, number) => `part-${number % folderCount}/about-thing-${number}`,
  );
  await git(dirname(folder), 'init', '--quiet', '--bare', '--initial-branch=master', folder);
  const child = spawn('git', ['fast-import', '--quiet'], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const exit = once(child, 'exit');
  const message = 'Write all pages\n';
  const lines = [
    'commit refs/heads/master',
    'committer Ada <ada@example.com> 1488326400 +0000',
    `data ${message.length}`,
    message,
    ...slugs.map((slug, number) => page(`${slug}.md`, number)),
    '',
  ];
  child.stdin.end(lines.join('\n'));
  const [code] = await exit;
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
  return slugs;
}

function page(path: string, number: number): string {
  const line = `What is to be known of thing ${number} is that it is like thing ${number + 1}.\n`;
  const content = `# Thing ${number}\n\n${line.repeat(12)}`;
  return `M 100644 inline ${path}\ndata ${content.length}\n${content}`;
}
