import { recordSecrets } from './logged-secrets.ts';
import { runnerInfo } from './runners.ts';

/** A job as sent to a runner; lists only the fields that runners require. */
export interface AssignedJob {
  readonly id: number;
  readonly token: string;
  readonly job_info: {
    readonly name: string;
    readonly stage: string;
    readonly project_id: number;
    readonly project_name: string;
  };
  readonly git_info: { readonly repo_url: string; readonly ref: string; readonly sha: string };
  readonly variables: readonly {
    readonly key: string;
    readonly value: string;
    readonly public: boolean;
  }[];
  readonly dependencies: readonly {
    readonly id: number;
    readonly name: string;
    readonly token: string;
    readonly artifacts_file?: { readonly filename: string; readonly size: number };
  }[];
}

export interface JobRequestResponse {
  readonly status: number;
  readonly lastUpdate: string | null;
  /** Only with 201. */
  readonly job: AssignedJob | null;
}

/** The response to a trace chunk or a state update. */
export interface RunnerResponse {
  readonly status: number;
  readonly jobStatus: string | null;
  /** `0-<size>` */
  readonly range: string | null;
}

/** The form of `Content-Range`: up to 10.x the end is exclusive, later it is inclusive. */
export type RangeForm = 'old' | 'new';

/** Sends the same requests as runner programs from 10.x on (v4-behaviour 3.12). */
export interface RunnerClient {
  readonly verify: () => Promise<number>;
  readonly unregister: () => Promise<number>;
  /** Sends the latest `X-GitLab-Last-Update` of any response, unless another value is given. */
  readonly request: (lastUpdate?: string) => Promise<JobRequestResponse>;
  readonly update: (job: JobKey, change: object) => Promise<RunnerResponse>;
  /** Appends a chunk that starts at byte `start` to the trace. */
  readonly append: (job: JobKey, start: number, piece: string | Buffer) => Promise<RunnerResponse>;
  readonly upload: (
    job: JobKey,
    archive: Buffer,
    options?: { readonly expireIn?: string },
  ) => Promise<number>;
  readonly download: (job: JobKey) => Promise<{ readonly status: number; readonly bytes: Buffer }>;
  /** A whole job: the trace in two chunks, a state update between them, then the final state. */
  readonly run: (
    job: AssignedJob,
    end: { readonly state: string; readonly trace: string },
  ) => Promise<RunnerResponse>;
}

export type JobKey = Pick<AssignedJob, 'id' | 'token'>;

const userAgent = 'gitlab-runner 10.1.0 (10-1-stable; go1.8.3; linux/amd64)';

const features = {
  variables: true,
  image: false,
  services: false,
  artifacts: true,
  cache: true,
  shared: true,
};

/** A client that acts as a runner program with the token of its registration. */
export function runnerClient(url: string, token: string, form: RangeForm = 'old'): RunnerClient {
  recordSecrets({ token });
  const api = `${url}/api/v4`;
  const info = { ...runnerInfo, executor: 'shell', features };
  let lastUpdate = '';

  const send = (method: string, path: string, init: RequestInit) =>
    fetch(`${api}/${path}`, {
      ...init,
      method,
      headers: { 'User-Agent': userAgent, ...init.headers },
    });
  const sendJson = (method: string, path: string, body: object) =>
    send(method, path, {
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    });
  const statusOf = async (pending: Promise<Response>) => {
    const response = await pending;
    await response.arrayBuffer();
    return response.status;
  };
  const responseOf = async (pending: Promise<Response>): Promise<RunnerResponse> => {
    const response = await pending;
    await response.arrayBuffer();
    const { status, headers } = response;
    return { status, jobStatus: headers.get('Job-Status'), range: headers.get('Range') };
  };

  const append: RunnerClient['append'] = (job, start, piece) => {
    const bytes = Buffer.from(piece);
    const end = start + bytes.length - (form === 'old' ? 0 : 1);
    return responseOf(
      send('PATCH', `jobs/${job.id}/trace`, {
        body: bytes,
        headers: {
          'Content-Type': 'text/plain',
          'Content-Range': `${start}-${end}`,
          'JOB-TOKEN': job.token,
        },
      }),
    );
  };
  const update: RunnerClient['update'] = (job, change) =>
    responseOf(sendJson('PUT', `jobs/${job.id}`, { info, token: job.token, ...change }));

  return {
    verify: () => statusOf(sendJson('POST', 'runners/verify', { token })),
    unregister: () => statusOf(sendJson('DELETE', 'runners', { token })),
    request: async (sentLastUpdate = lastUpdate) => {
      const response = await sendJson('POST', 'jobs/request', {
        info,
        token,
        last_update: sentLastUpdate,
      });
      const text = await response.text();
      const header = response.headers.get('X-GitLab-Last-Update');
      // runner programs keep the latest value of any response, independent of its status
      lastUpdate = header || lastUpdate;
      const job = response.status === 201 ? (JSON.parse(text) as AssignedJob) : null;
      recordSecrets({ job });
      return { status: response.status, lastUpdate: header, job };
    },
    update,
    append,
    upload: (job, archive, { expireIn } = {}) => {
      const body = new FormData();
      body.set('file', new Blob([new Uint8Array(archive)]), 'artifacts.zip');
      const query = expireIn === undefined ? '' : `?expire_in=${encodeURIComponent(expireIn)}`;
      const headers = { 'JOB-TOKEN': job.token, Accept: 'application/json' };
      return statusOf(send('POST', `jobs/${job.id}/artifacts${query}`, { body, headers }));
    },
    download: async (job) => {
      const headers = { 'JOB-TOKEN': job.token };
      const response = await send('GET', `jobs/${job.id}/artifacts`, { headers });
      return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
    },
    run: async (job, { state, trace }) => {
      const bytes = Buffer.from(trace);
      const half = Math.floor(bytes.length / 2);
      await append(job, 0, bytes.subarray(0, half));
      await update(job, { state: 'running' });
      await append(job, half, bytes.subarray(half));
      return update(job, {
        state,
        ...(form === 'old' && { trace }),
        ...(state === 'failed' && { failure_reason: 'script_failure' }),
      });
    },
  };
}
