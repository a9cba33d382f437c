/** A twin that starts one `git` per request and sends its output, without access checks. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import process from 'node:process';
import { gitEnvironment } from '../../server/git/process/environment.ts';

const folder = process.env.TWIN_REPOSITORY ?? '';
const gitDir = `--git-dir=${folder}`;

const commands: readonly (readonly [RegExp, (argument: string) => readonly string[]])[] = [
  [/\/blobs\/([0-9a-f]{40})\/raw$/, (sha) => ['cat-file', 'blob', sha]],
  [/\/repository\/tree(?:\?path=(.*))?$/, (path = '') => treeOf(decodeURIComponent(path))],
  [/\/repository\/commits$/, () => ['log', '--max-count=20', '--format=raw', 'master']],
  [
    /\/repository\/tags$/,
    () => [
      'for-each-ref',
      '--count=20',
      '--sort=-refname',
      '--format=%(refname) %(*objectname) %(contents)',
      'refs/tags/',
    ],
  ],
];

const treeOf = (path: string) => ['ls-tree', '--full-tree', `master:${path}`];

createServer((request, response) => {
  const url = request.url ?? '';
  for (const [pattern, args] of commands) {
    const match = pattern.exec(url);
    if (!match) continue;
    const child = spawn('git', [gitDir, ...args(match[1] as string)], {
      env: gitEnvironment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.pipe(response);
    return;
  }
  response.end();
}).listen(Number(process.env.TWIN_PORT), '127.0.0.1');
