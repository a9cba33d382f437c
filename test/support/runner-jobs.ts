import { randomBytes } from 'node:crypto';
import type { Database } from '../../prisma/client.ts';
import { unlockSecrets } from '../../server/accounts/secret-key.ts';
import type { Ci } from './ci.ts';
import { type Answer, clientOf } from './client.ts';
import type { World } from './world.ts';

/** A job as its runner has it: in hand, with its own token. */
export interface HeldJob {
  readonly id: number;
  readonly token: string;
}

/** What a runner hears of a piece of a trace. */
export interface TraceAnswer extends Answer {
  readonly range: string | null;
  readonly jobStatus: string | null;
}

/** What is sent in a form with parts. */
export type FormParts = Readonly<Record<string, File | string>>;

/** What a runner asks of the server for a job it has in hand. */
export interface RunnerSide {
  /** Sends a piece of its trace; the range ends behind its last byte, as in old programs. */
  readonly append: (
    job: HeldJob,
    start: number,
    piece: string | Buffer,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<TraceAnswer>;
  /** Sends a form with what it leaves, and the job's token. */
  readonly leave: (job: HeldJob, parts: FormParts, query?: string) => Promise<Answer>;
  /** Fetches what a job left, by the token of that job. */
  readonly fetch: (job: HeldJob) => Promise<Response>;
}

export function runnerSide(url: string): RunnerSide {
  const { fetch } = clientOf(url, null);
  const bodyOf = async (response: Response) => {
    const text = await response.text();
    return text === '' ? null : JSON.parse(text);
  };
  return {
    append: async ({ id, token }, start, piece, headers = {}) => {
      const body = new Uint8Array(Buffer.from(piece));
      const response = await fetch(`/jobs/${id}/trace`, {
        method: 'PATCH',
        headers: {
          'Job-Token': token,
          'Content-Type': 'text/plain',
          'Content-Range': `${start}-${start + body.length}`,
          ...headers,
        },
        body,
      });
      return {
        status: response.status,
        body: await bodyOf(response),
        range: response.headers.get('Range'),
        jobStatus: response.headers.get('Job-Status'),
      };
    },
    leave: async ({ id, token }, parts, query = '') => {
      const form = new FormData();
      for (const [name, part] of Object.entries(parts)) form.append(name, part);
      const response = await fetch(`/jobs/${id}/artifacts${query}`, {
        method: 'POST',
        headers: { 'Job-Token': token },
        body: form,
      });
      return { status: response.status, body: await bodyOf(response) };
    },
    fetch: ({ id, token }) => fetch(`/jobs/${id}/artifacts`, { headers: { 'Job-Token': token } }),
  };
}

/** Gives jobs to runners without a runner asking for them. */
export async function jobsInHand(
  { db, dataFolder }: { readonly db: Database; readonly dataFolder: string },
  { move }: Pick<Ci, 'move'>,
): Promise<(pipelineId: number, name: string) => Promise<HeldJob>> {
  const secrets = await unlockSecrets(dataFolder, db);
  return async (pipelineId, name) => {
    const token = randomBytes(10).toString('hex');
    const details = {
      tokenDigest: secrets.digest(token),
      tokenSealed: secrets.seal(token),
      heardAt: new Date(),
    };
    if (!(await move(pipelineId, name, 'running', details))) throw new Error(`${name} cannot run`);
    const { id } = await db.job.findFirstOrThrow({ where: { pipelineId, name, isRetried: false } });
    return { id, token };
  };
}

/** A project with a CI file, whose jobs nobody runs by himself. */
export async function projectWithJobs(
  { seed, as, root, db }: Pick<World, 'seed' | 'as' | 'root' | 'db'>,
  { forgetPushed }: Pick<Ci, 'forgetPushed'>,
  fullPath: string,
  ciFile: string,
) {
  const { id } = await seed.project(fullPath);
  await seed.push(fullPath, { '.gitlab-ci.yml': ciFile });
  await forgetPushed(id);
  return {
    id,
    /** Gives the id of a pipeline in which nothing has begun. */
    pipeline: async () => {
      const { body } = await as(root).post(`/projects/${id}/pipeline`, { ref: 'master' });
      return (body as { id: number }).id;
    },
    jobNamed: (pipelineId: number, name: string) =>
      db.job.findFirstOrThrow({ where: { pipelineId, name, isRetried: false } }),
  };
}
