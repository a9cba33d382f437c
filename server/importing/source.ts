import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';

/** The source gives a response that the import cannot continue with; the message is for administrators. */
export class SourceError extends Error {
  /** The status of the response; 0 without one. */
  readonly status: number;

  constructor(message: string, status = 0) {
    // it must not move the cursor of the administrator's terminal
    super(message.replace(/\p{Cc}/gu, ' '));
    this.name = 'SourceError';
    this.status = status;
  }
}

/** Whether the source refuses a resource, or does not have it. */
export const isRefused = (error: unknown): error is SourceError =>
  error instanceof SourceError && (error.status === 403 || error.status === 404);

type Query = Readonly<Record<string, string | number>>;

/** A server that an import reads by its v4 API. Nothing that it answers is trusted. */
export interface Source {
  /** The address of the server, without a trailing slash. */
  readonly url: string;
  /** The address of a resource: of `projects/42`, `https://code.example/api/v4/projects/42`. */
  readonly addressOf: (path: string) => string;
  /** The address of a repository with the credentials, for git. */
  readonly repositoryUrl: (fullPath: string) => string;
  /** One resource. Throws a `SourceError` if it cannot be had or has another shape. */
  readonly read: <Shape extends z.ZodType>(
    path: string,
    shape: Shape,
    query?: Query,
  ) => Promise<z.infer<Shape>>;
  /** The pages of a listing, each with at most a hundred records. */
  readonly pages: <Shape extends z.ZodType>(
    path: string,
    shape: Shape,
    query?: Query,
  ) => AsyncGenerator<readonly z.infer<Shape>[]>;
  /** A resource that is a text; throws if it has more than `limit` bytes. */
  readonly readText: (path: string, limit: number) => Promise<string>;
}

const pageSize = 100;

/** A page of issues whose descriptions are all as long as they may be has about this many bytes. */
const longestResponse = 128 * 1024 * 1024;

/** Milliseconds. */
const responseTimeout = 60_000;
const longestPause = 300_000;

/** A request is sent so many times while the source is busy or cannot be reached. */
const attempts = 6;

const isBusy = (status: number) => status === 429 || status >= 500;

/** How long to wait before the next attempt, in milliseconds: what the source says, or twice as long each time. */
function pauseBefore(attempt: number, response: Response | null): number {
  const seconds = Number(response?.headers.get('retry-after') ?? Number.NaN);
  const wanted = Number.isFinite(seconds) ? seconds * 1_000 : 500 * 2 ** attempt;
  return Math.min(Math.max(wanted, 0), longestPause);
}

async function bytesOf(response: Response, path: string, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > limit)
      throw new SourceError(`${path}: the response is longer than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Opens the server at `url`, such as `https://code.example`, with an access token. Requests end with
 * `stopped`. Throws if the address is no http or https URL, or has credentials.
 */
export function openSource(url: string, token: string, stopped: AbortSignal): Source {
  const base = URL.parse(url.replace(/\/api\/v4\/?$/, ''));
  if (!base || !/^https?:$/.test(base.protocol) || base.username + base.password !== '') {
    throw new Error('--url must be an http or https address without credentials.');
  }
  base.search = '';
  base.hash = '';
  const root = base.href.replace(/\/$/, '');
  const addressOf = (path: string) => `${root}/api/v4/${path}`;

  /** Follows no redirect: the token belongs to this server only. */
  const attempt = async (address: URL, path: string, limit: number) => {
    const response = await fetch(address, {
      headers: { 'Private-Token': token },
      redirect: 'manual',
      signal: AbortSignal.any([stopped, AbortSignal.timeout(responseTimeout)]),
    });
    const { status } = response;
    const location = response.headers.get('location');
    if (status >= 300 && status < 400) {
      await response.body?.cancel();
      throw new SourceError(`The source redirects to ${location}: name that address.`, status);
    }
    if (!response.ok) {
      await response.body?.cancel();
      if (isBusy(status)) return { response, bytes: null };
      throw new SourceError(`${path}: the source answers ${status}`, status);
    }
    return { response, bytes: await bytesOf(response, path, limit) };
  };

  const request = async (path: string, query: Query, limit: number) => {
    const address = new URL(addressOf(path));
    for (const [name, value] of Object.entries(query)) {
      address.searchParams.set(name, String(value));
    }
    for (let sent = 1; ; sent += 1) {
      let failure: SourceError;
      let response: Response | null = null;
      try {
        const answer = await attempt(address, path, limit);
        if (answer.bytes) return { headers: answer.response.headers, bytes: answer.bytes };
        response = answer.response;
        failure = new SourceError(
          `${path}: the source answers ${response.status}`,
          response.status,
        );
      } catch (error) {
        if (error instanceof SourceError) throw error;
        stopped.throwIfAborted();
        const { cause, message } = error as Error;
        const reason = cause instanceof Error ? cause.message : message;
        failure = new SourceError(`${path}: the source cannot be reached (${reason})`);
      }
      if (sent >= attempts) throw failure;
      await pause(pauseBefore(sent, response), null, { signal: stopped });
    }
  };

  const requestShape = async <Shape extends z.ZodType>(
    path: string,
    shape: Shape,
    query: Query,
  ) => {
    const { headers, bytes } = await request(path, query, longestResponse);
    let json: unknown;
    try {
      json = JSON.parse(bytes.toString());
    } catch {
      throw new SourceError(`${path}: the source does not answer with JSON`);
    }
    const read = shape.safeParse(json);
    if (read.success) return { headers, value: read.data };
    const [issue] = read.error.issues;
    const place = issue?.path.join('.') ?? '';
    throw new SourceError(`${path}: ${place}: ${issue?.message}`);
  };

  async function* pages<Shape extends z.ZodType>(path: string, shape: Shape, query: Query = {}) {
    for (let page = 1; ; page += 1) {
      const wanted = { ...query, page, per_page: pageSize };
      const { headers, value } = await requestShape(path, shape.array().max(pageSize), wanted);
      if (value.length > 0) yield value;
      // a proxy may remove the header
      const next = headers.get('x-next-page') ?? (value.length < pageSize ? '' : 'unknown');
      if (next === '' || value.length === 0) return;
    }
  }

  return {
    url: root,
    addressOf,
    repositoryUrl: (fullPath) => {
      const address = new URL(
        `${root}/${fullPath.split('/').map(encodeURIComponent).join('/')}.git`,
      );
      address.username = 'oauth2';
      address.password = token;
      return address.href;
    },
    read: async (path, shape, query = {}) => (await requestShape(path, shape, query)).value,
    pages,
    readText: async (path, limit) => (await request(path, {}, limit)).bytes.toString(),
  };
}
