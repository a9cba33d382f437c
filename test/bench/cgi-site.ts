import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { startCgi } from './cgi.ts';
import { freePort, type Program, untilResponding } from './service.ts';

/** A CGI program behind a usual web server. */
export interface CgiSite extends Program {
  readonly url: string;
  /** The web server, printed below the table. */
  readonly title: string;
}

interface CgiProgram {
  readonly program: string;
  readonly environment: Readonly<Record<string, string>>;
}

const programs = ['nginx', 'fcgiwrap'] as const;

const isThere = (name: string) => spawnSync(name, ['-h']).error === undefined;

/** Installs Debian packages, if possible. */
export function installPackages(...names: readonly string[]): void {
  if (process.getuid?.() !== 0) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update'], { env });
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...names], { env });
}

function areThere(): boolean {
  if (!programs.every(isThere)) installPackages('nginx-light', 'fcgiwrap');
  return programs.every(isThere);
}

/** Starts it below `folder`, with nginx and fcgiwrap, or a small CGI server if these are not available. */
export async function startCgiSite(
  folder: string,
  { program, environment }: CgiProgram,
): Promise<CgiSite> {
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const url = `http://localhost:${port}`;
  if (!areThere()) {
    const server = await startCgi(port, program, environment);
    return { ...server, url, title: 'a CGI server of Node' };
  }
  const socket = join(folder, 'fcgi.sock');
  const log = join(folder, 'backend.log');
  await writeFile(
    join(folder, 'nginx.conf'),
    configuration({ folder, program, environment, port, socket }),
  );
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
    title: 'nginx and fcgiwrap',
    stop: async () => {
      nginx.kill('SIGQUIT');
      if (wrap.pid !== undefined) process.kill(-wrap.pid, 'SIGTERM');
      await Promise.all(exits);
    },
  };
}

interface ServerSettings extends CgiProgram {
  readonly folder: string;
  readonly port: number;
  readonly socket: string;
}

/** Buffers nothing on disk, as the service does not either; workers run as this account. */
function configuration({ folder, program, environment, port, socket }: ServerSettings): string {
  const parameters = Object.entries({
    ...environment,
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
