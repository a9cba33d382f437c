import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { rootToken } from '../bench/service.ts';
import { tryGit } from '../support/git.ts';
import { message, soapResultOf } from '../support/soap.ts';
import type { Outcomes } from './outcomes.ts';

/** A write that the service acknowledged, or whose answer was lost. */
export interface Write {
  readonly kind: 'issue' | 'note' | 'file' | 'commit';
  readonly project: number;
  /** A title, a text, a path or the id of a commit: no other write has it. */
  readonly mark: string;
  readonly isAcknowledged: boolean;
}

export interface Client {
  readonly name: string;
  /** Milliseconds between two operations. */
  readonly pause: number;
  readonly act: () => Promise<void>;
}

interface World {
  readonly url: string;
  readonly projects: readonly number[];
  /** A folder for working trees. */
  readonly folder: string;
  readonly outcomes: Outcomes;
  readonly writes: Write[];
}

const headers = { 'Private-Token': rootToken, 'Content-Type': 'application/json' };

/** The mixed clients of the soak. */
export async function clientsOf(world: World): Promise<readonly Client[]> {
  const { url, projects, outcomes, writes } = world;
  let turn = 0;
  const nextProject = () => {
    turn += 1;
    return projects[turn % projects.length] ?? 0;
  };

  /** Sends a request; null if there was no answer. */
  const send = async (kind: string, path: string, init: RequestInit = {}) => {
    const begun = performance.now();
    try {
      const response = await fetch(`${url}${path}`, {
        ...init,
        headers: { ...headers, ...init.headers },
        signal: AbortSignal.timeout(60_000),
      });
      const text = await response.text();
      outcomes.answered(kind, response.status, begun, text);
      return { status: response.status, text };
    } catch (error) {
      outcomes.broken(kind, begun, error);
      return null;
    }
  };
  const write = async (
    kind: Write['kind'],
    project: number,
    mark: string,
    path: string,
    body: object,
  ) => {
    const answer = await send(`write ${kind}`, path, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    // an answer that refuses means that nothing was written
    if (answer && answer.status !== 201) return;
    writes.push({ kind, project, mark, isAcknowledged: answer !== null });
  };

  const read: Client['act'] = async () => {
    const at = `/api/v4/projects/${nextProject()}`;
    await send('read project', at);
    await send('read issues', `${at}/issues?per_page=20`);
    await send('read commits', `${at}/repository/commits`);
    await send('read projects', '/api/v4/projects?per_page=10');
  };
  const plan: Client['act'] = async () => {
    const project = nextProject();
    const title = `Issue ${randomUUID()}`;
    await write('issue', project, title, `/api/v4/projects/${project}/issues`, { title });
    const body = `Note ${randomUUID()}`;
    await write('note', project, body, `/api/v4/projects/${project}/issues/1/notes`, { body });
  };
  const commit: Client['act'] = async () => {
    const project = nextProject();
    const path = `files/${randomUUID()}.txt`;
    const body = { branch: 'files', content: path, commit_message: `Add ${path}` };
    const address = `/api/v4/projects/${project}/repository/files/${encodeURIComponent(path)}`;
    await write('file', project, path, address, body);
  };
  let soapId = '';
  const soap: Client['act'] = async () => {
    const call = async (operation: string, ...parts: readonly unknown[]) => {
      const body = message(operation, ...parts);
      const type = { 'Content-Type': 'text/xml; charset=utf-8' };
      const answer = await send('soap', '/api/soap', { method: 'POST', body, headers: type });
      return answer?.status === 200 ? soapResultOf(answer.text) : null;
    };
    if (!soapId) {
      const login = await call('login', 'root', rootToken);
      soapId = String((login as { result?: unknown } | null)?.result ?? '');
    }
    if (soapId) await call('call', soapId, 'project.list', [{ search: 'app' }]);
  };
  const graphql: Client['act'] = async () => {
    const query = `{ project(id: "root/app-1") { name issues(first: 5) { nodes { title } } } }`;
    await send('graphql', '/graphql', { method: 'POST', body: JSON.stringify({ query }) });
  };

  return [
    { name: 'read 1', pause: 120, act: read },
    { name: 'read 2', pause: 120, act: read },
    { name: 'plan 1', pause: 400, act: plan },
    { name: 'plan 2', pause: 400, act: plan },
    { name: 'commit', pause: 1_000, act: commit },
    { name: 'soap', pause: 500, act: soap },
    { name: 'graphql', pause: 400, act: graphql },
    await pushes(world, { project: projects[1] ?? 0, path: 'app-1', pause: 1_500 }),
    // each push starts a pipeline with one job
    await pushes(world, { project: projects[0] ?? 0, path: 'app-0', pause: 20_000 }),
    { name: 'clone', pause: 3_000, act: () => clone(world) },
  ];
}

const remoteOf = (url: string, path: string) =>
  `${url.replace('://', `://root:${rootToken}@`)}/root/${path}.git`;

interface Pushes {
  readonly project: number;
  readonly path: string;
  readonly pause: number;
}

/** Pushes a new commit to a branch of its own each time; a commit that was not acknowledged is pushed again. */
async function pushes(
  { url, folder, outcomes, writes }: World,
  { project, path, pause }: Pushes,
): Promise<Client> {
  const work = join(folder, `push-${path}`);
  await mkdir(work);
  await tryGit(work, 'clone', '-q', remoteOf(url, path), '.');
  await tryGit(work, 'checkout', '-q', '-b', 'pushed');
  let waiting: string[] = [];
  const act = async () => {
    await writeFile(join(work, 'pushed.txt'), randomUUID());
    await tryGit(work, 'add', '.');
    await tryGit(work, 'commit', '-q', '-m', 'Push');
    waiting.push((await tryGit(work, 'rev-parse', 'HEAD')).stdout.trim());
    const begun = performance.now();
    const { code, stderr } = await tryGit(work, 'push', '-q', 'origin', 'pushed');
    if (code !== 0) return outcomes.broken('push', begun, stderr.slice(-200));
    outcomes.answered('push', 200, begun, '');
    for (const mark of waiting)
      writes.push({ kind: 'commit', project, mark, isAcknowledged: true });
    waiting = [];
  };
  return { name: `push ${path}`, pause, act };
}

async function clone({ url, folder, outcomes }: World): Promise<void> {
  const target = join(folder, `clone-${randomUUID()}`);
  const begun = performance.now();
  const { code, stderr } = await tryGit(folder, 'clone', '-q', remoteOf(url, 'app-2'), target);
  if (code === 0) outcomes.answered('clone', 200, begun, '');
  else outcomes.broken('clone', begun, stderr.slice(-200));
  await rm(target, { recursive: true, force: true });
}

/** Lets a client act until `until`, by `performance.now()`. */
export async function runClient({ act, pause }: Client, until: number): Promise<void> {
  while (performance.now() < until) {
    await act();
    await delay(pause);
  }
}
