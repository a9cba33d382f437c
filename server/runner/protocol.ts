import { openAsBlob } from 'node:fs';
import { arch, platform } from 'node:process';
import type { FailureReason, HandedJob } from './job.ts';

/** A response; the body is not read where it may be long. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Identifies and authenticates a job. */
export type Speaker = Pick<HandedJob, 'id' | 'token'>;

export const version = '0.1.0';

/** What a runner reports about itself. */
export const runnerInfo = {
  name: 'millrace-runner',
  version,
  revision: '',
  platform,
  architecture: arch,
  executor: 'shell',
  features: { variables: true, artifacts: true, cache: true, raw_variables: true },
};

/** The requests of the runner protocol (v4-behaviour 3.12), without retries. */
export interface Protocol {
  register(token: string, traits: Readonly<Record<string, unknown>>): Promise<Answer>;
  unregister(token: string): Promise<Answer>;
  /** A long poll. */
  requestJob(token: string, lastUpdate: string | null, signal: AbortSignal): Promise<Answer>;
  /** State `running` is a keep-alive. */
  updateJob(
    job: Speaker,
    state: 'running' | 'success' | 'failed',
    reason?: FailureReason,
  ): Promise<Answer>;
  /** Appends bytes to the trace at this offset. */
  patchTrace(job: Speaker, start: number, piece: Uint8Array): Promise<Answer>;
  uploadArtifacts(
    job: Speaker,
    archive: { readonly path: string; readonly name: string; readonly expireIn: string | null },
    signal: AbortSignal,
  ): Promise<Answer>;
  /** The response's body is the archive. */
  downloadArtifacts(job: Speaker, signal: AbortSignal): Promise<Response>;
}

const short = 60_000;
/** A job request is answered within minutes, with or without a job. */
const long = 5 * 60_000;

/** A client for the service at `url`. Throws on a timeout. */
export function protocolAt(url: string): Protocol {
  const address = (path: string) => `${url}/api/v4${path}`;
  const send = async (
    method: string,
    path: string,
    body: object,
    signal: AbortSignal = AbortSignal.timeout(short),
  ): Promise<Answer> => {
    const response = await fetch(address(path), {
      method,
      redirect: 'error',
      headers: { 'Content-Type': 'application/json', 'User-Agent': `millrace-runner ${version}` },
      body: JSON.stringify(body),
      signal,
    });
    return read(response);
  };
  return {
    register: (token, traits) => send('POST', '/runners', { token, ...traits, info: runnerInfo }),
    unregister: (token) => send('DELETE', '/runners', { token }),
    requestJob: (token, lastUpdate, signal) =>
      send(
        'POST',
        '/jobs/request',
        { token, info: runnerInfo, ...(lastUpdate !== null && { last_update: lastUpdate }) },
        AbortSignal.any([signal, AbortSignal.timeout(long)]),
      ),
    updateJob: ({ id, token }, state, reason) =>
      send('PUT', `/jobs/${id}`, {
        token,
        state,
        info: runnerInfo,
        ...(reason && { failure_reason: reason }),
      }),
    patchTrace: async ({ id, token }, start, piece) =>
      read(
        await fetch(address(`/jobs/${id}/trace`), {
          method: 'PATCH',
          redirect: 'error',
          headers: {
            'Content-Type': 'text/plain',
            'Content-Range': `${start}-${start + piece.length - 1}`,
            'Job-Token': token,
          },
          body: Buffer.from(piece),
          signal: AbortSignal.timeout(short),
        }),
      ),
    uploadArtifacts: async ({ id, token }, { path, name, expireIn }, signal) => {
      const form = new FormData();
      form.set('file', await openAsBlob(path, { type: 'application/zip' }), name);
      const query = expireIn ? `?${new URLSearchParams({ expire_in: expireIn })}` : '';
      const response = await fetch(address(`/jobs/${id}/artifacts${query}`), {
        method: 'POST',
        redirect: 'error',
        headers: { 'Job-Token': token },
        body: form,
        signal,
      });
      return read(response);
    },
    downloadArtifacts: ({ id, token }, signal) =>
      fetch(address(`/jobs/${id}/artifacts`), {
        // do not follow redirects: the token is for this service only
        redirect: 'manual',
        headers: { 'Job-Token': token },
        signal,
      }),
  };
}

/** A job is the longest response; the service bounds the size of its pipeline. */
const maxResponseBytes = 64 * 1024 * 1024;

async function read(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body ?? []) {
    length += piece.length;
    if (length > maxResponseBytes) throw new Error('the response of the service is too long');
    pieces.push(piece);
  }
  const text = Buffer.concat(pieces).toString();
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // not JSON: keep the text
  }
  return { status, headers, body };
}
