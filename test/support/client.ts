import { noteSecrets, secretKeysOf } from './logged-secrets.ts';

/** What came back: the status and the whole body, parsed where it is JSON. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export type Parameters = Readonly<Record<string, unknown>>;

/** A caller of REST v4, with a token or without. */
export interface Client {
  readonly get: (path: string) => Promise<Answer>;
  readonly post: (path: string, body?: Parameters) => Promise<Answer>;
  readonly put: (path: string, body?: Parameters) => Promise<Answer>;
  readonly delete: (path: string) => Promise<Answer>;
  /** Anything else: the response as it came, its body unread. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
}

/** A client of the server at `url` that shows `token`; paths start below `/api/v4`. */
export function clientOf(url: string, token: string | null): Client {
  const fetchPath = (path: string, init: RequestInit = {}) =>
    fetch(`${url}/api/v4${path}`, {
      ...init,
      redirect: 'manual',
      headers: { ...(token !== null && { 'Private-Token': token }), ...init.headers },
    });
  const send = async (method: string, path: string, body?: Parameters): Promise<Answer> => {
    const response = await fetchPath(path, {
      method,
      ...(body && {
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json' },
      }),
    });
    const answer = { status: response.status, body: await bodyOf(response) };
    // what was refused is no secret of the service
    if (response.ok) noteSecrets({ sent: body, answer: answer.body }, secretKeysOf(path));
    return answer;
  };
  return {
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
    delete: (path) => send('DELETE', path),
    fetch: fetchPath,
  };
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return null;
  return response.headers.get('Content-Type') === 'application/json' ? JSON.parse(text) : text;
}
