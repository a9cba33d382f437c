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

export const version = '0.2.0';

/** What a runner reports about itself. */
const runnerInfo = {
  name: 'millrace-runner',
  version,
  revision: '',
  platform,
  architecture: arch,
  executor: 'shell',
  features: { variables: true, artifacts: true, cache: true, raw_variables: true },
};

const short = 60_000;
/** A job request is answered within minutes, with or without a job. */
const long = 5 * 60_000;

/** The requests of the runner protocol (v4-behaviour 3.12), without retries. Throws on a timeout. */
export function protocolAt(url: string) {
  const request = (path: string, init: RequestInit) =>
    fetch(`${url}/api/v4${path}`, { redirect: 'error', ...init });
  const send = async (
    method: string,
    path: string,
    body: object,
    signal: AbortSignal = AbortSignal.timeout(short),
  ): Promise<Answer> => {
    const response = await request(path, {
      method,
      headers: { 'Content-Type': 'application/json', 'User-Agent': `millrace-runner ${version}` },
      body: JSON.stringify(body),
      signal,
    });
    return read(response);
  };
  return {
    register: (token: string, traits: Readonly<Record<string, unknown>>) =>
      send('POST', '/runners', { token, ...traits, info: runnerInfo }),
    unregister: (token: string) => send('DELETE', '/runners', { token }),
    /** A long poll. */
    requestJob: (token: string, lastUpdate: string | null, signal: AbortSignal) =>
      send(
        'POST',
        '/jobs/request',
        { token, info: runnerInfo, ...(lastUpdate !== null && { last_update: lastUpdate }) },
        AbortSignal.any([signal, AbortSignal.timeout(long)]),
      ),
    /** State `running` is a keep-alive. */
    updateJob: (
      { id, token }: Speaker,
      state: 'running' | 'success' | 'failed',
      reason?: FailureReason,
    ) => {
      const failure = reason && { failure_reason: reason };
      return send('PUT', `/jobs/${id}`, { token, state, info: runnerInfo, ...failure });
    },
    /** Appends bytes to the trace at this offset. */
    patchTrace: async ({ id, token }: Speaker, start: number, piece: Uint8Array) => {
      const response = await request(`/jobs/${id}/trace`, {
        method: 'PATCH',
        headers: {
          'Content-Type': 'text/plain',
          'Content-Range': `${start}-${start + piece.length - 1}`,
          'Job-Token': token,
        },
        body: Buffer.from(piece),
        signal: AbortSignal.timeout(short),
      });
      return read(response);
    },
    uploadArtifacts: async (
      { id, token }: Speaker,
      archive: { readonly path: string; readonly name: string; readonly expireIn: string | null },
      signal: AbortSignal,
    ) => {
      const body = new FormData();
      const content = await openAsBlob(archive.path, { type: 'application/zip' });
      body.set('file', content, archive.name);
      const query = archive.expireIn && `?${new URLSearchParams({ expire_in: archive.expireIn })}`;
      const headers = { 'Job-Token': token };
      const path = `/jobs/${id}/artifacts${query ?? ''}`;
      return read(await request(path, { method: 'POST', headers, body, signal }));
    },
    /** The response's body is the archive, which the service or its object store sends. */
    downloadArtifacts: async ({ id, token }: Speaker, signal: AbortSignal): Promise<Response> => {
      const headers = { 'Job-Token': token };
      const path = `/jobs/${id}/artifacts?direct_download=true`;
      const response = await request(path, { redirect: 'manual', headers, signal });
      const location = response.status === 302 ? response.headers.get('location') : null;
      if (location === null) return response;
      await response.body?.cancel();
      // without the token of the job
      return fetch(location, { redirect: 'error', signal });
    },
  };
}

export type Protocol = ReturnType<typeof protocolAt>;

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
