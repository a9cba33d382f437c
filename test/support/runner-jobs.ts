import { randomBytes } from 'node:crypto';
import type { Database } from '../../prisma/client.ts';
import { unlockSecrets } from '../../server/accounts/secret-key.ts';
import type { Ci } from './ci.ts';
import { type ApiResponse, clientOf } from './client.ts';
import type { World } from './world.ts';

/** A running job with its job token. */
export interface JobWithToken {
  readonly id: number;
  readonly token: string;
}

/** The response to a trace chunk. */
export interface TraceResponse extends ApiResponse {
  readonly range: string | null;
  readonly jobStatus: string | null;
}

/** The parts of a multipart form. */
export type FormParts = Readonly<Record<string, File | string>>;

/** The requests of a runner for a running job. */
export interface JobClient {
  /** Sends a trace chunk; the end of the range is exclusive, as in old runner programs. */
  readonly append: (
    job: JobWithToken,
    start: number,
    piece: string | Buffer,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<TraceResponse>;
  /** Uploads artifacts as a multipart form, with the job's token. */
  readonly leave: (job: JobWithToken, parts: FormParts, query?: string) => Promise<ApiResponse>;
  /** Downloads a job's artifacts with the token of that job. */
  readonly fetch: (job: JobWithToken) => Promise<Response>;
}

export function jobClient(url: string): JobClient {
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

/** Starts jobs with a token, without a job request from a runner. */
export async function jobAssigner(
  { db, dataFolder }: { readonly db: Database; readonly dataFolder: string },
  { move }: Pick<Ci, 'move'>,
): Promise<(pipelineId: number, name: string) => Promise<JobWithToken>> {
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

/** A project with a CI file, whose jobs no runner runs. */
export async function projectWithJobs(
  { seed, as, root, db }: Pick<World, 'seed' | 'as' | 'root' | 'db'>,
  { deletePushPipelines }: Pick<Ci, 'deletePushPipelines'>,
  fullPath: string,
  ciFile: string,
) {
  const { id } = await seed.project(fullPath);
  await seed.push(fullPath, { '.gitlab-ci.yml': ciFile });
  await deletePushPipelines(id);
  return {
    id,
    /** Creates a pipeline in which no job has started; gives its id. */
    pipeline: async () => {
      const { body } = await as(root).post(`/projects/${id}/pipeline`, { ref: 'master' });
      return (body as { id: number }).id;
    },
    jobNamed: (pipelineId: number, name: string) =>
      db.job.findFirstOrThrow({ where: { pipelineId, name, isRetried: false } }),
  };
}
