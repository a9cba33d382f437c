import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { gitEnvironment } from '../../server/git/process/environment.ts';
import { startCgi } from './cgi.ts';
import { freePort, type Program, untilResponding } from './service.ts';

/** `git http-backend` behind a usual web server, for the repositories in `root`. */
export interface Backend extends Program {
  readonly url: string;
  /** How it is served, printed below the table. */
  readonly title: string;
}

const program = '/usr/lib/git-core/git-http-backend';
const programs = ['nginx', 'fcgiwrap'] as const;

const isThere = (name: string) => spawnSync(name, ['-h']).error === undefined;

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

/** Installs missing Debian packages, if possible. */
function areThere(): boolean {
  if (programs.every(isThere)) return true;
  if (process.getuid?.() !== 0) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update'], { env });
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'nginx-light', 'fcgiwrap'], {
    env,
  });
  return programs.every(isThere);
}

/** Starts it below `folder`, with nginx and fcgiwrap, or a small CGI server if these are not available. */
export async function startBackend(folder: string, root: string): Promise<Backend> {
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const url = `http://localhost:${port}`;
  if (!areThere()) {
    const server = await startCgi(port, program, backendEnvironment(root));
    return { ...server, url, title: 'git http-backend behind a CGI server of Node' };
  }
  const socket = join(folder, 'fcgi.sock');
  const log = join(folder, 'backend.log');
  await writeFile(join(folder, 'nginx.conf'), configuration({ folder, root, port, socket }));
  const output = openSync(log, 'a');
  const stdio = ['ignore' as const, output, output];
  const env = { PATH: process.env.PATH ?? '' };
  // its own process group: fcgiwrap's parent does not end its workers
  const wrap = spawn('fcgiwrap', ['-c', '4', '-s', `unix:${socket}`], {
    stdio,
    env,
    detached: true,
  });
  const nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio, env });
  closeSync(output);
  await untilResponding(url, nginx, log);
  const exits = [once(nginx, 'exit'), once(wrap, 'exit')];
  return {
    pid: nginx.pid as number,
    url,
    title: 'git http-backend behind nginx and fcgiwrap, without credentials',
    stop: async () => {
      nginx.kill('SIGQUIT');
      if (wrap.pid !== undefined) process.kill(-wrap.pid, 'SIGTERM');
      await Promise.all(exits);
    },
  };
}

interface ServerSettings {
  readonly folder: string;
  readonly root: string;
  readonly port: number;
  readonly socket: string;
}

/** Buffers nothing on disk, as the service does not either; workers run as this account. */
function configuration({ folder, root, port, socket }: ServerSettings): string {
  const parameters = Object.entries({
    ...backendEnvironment(root),
    SCRIPT_FILENAME: program,
    PATH_INFO: '$uri',
    QUERY_STRING: '$query_string',
    REQUEST_METHOD: '$request_method',
    CONTENT_TYPE: '$content_type',
    CONTENT_LENGTH: '$content_length',
    SERVER_PROTOCOL: '$server_protocol',
    REMOTE_ADDR: '$remote_addr',
    REMOTE_USER: 'bench',
  });
  const temporary = ['client_body', 'fastcgi', 'proxy', 'scgi', 'uwsgi'];
  return `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 2;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 256; }
http {
  access_log ${folder}/access.log;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 0;
    location / {
      ${parameters.map(([name, value]) => `fastcgi_param ${name} "${value}";`).join('\n      ')}
      fastcgi_pass unix:${socket};
      fastcgi_buffering off;
      fastcgi_request_buffering off;
      fastcgi_read_timeout 600;
    }
  }
}
`;
}
