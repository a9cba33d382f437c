import { recordSecrets, secretKeysOf } from './logged-secrets.ts';

/** The status and the whole body, parsed if it is JSON. */
export interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
}

export type Parameters = Readonly<Record<string, unknown>>;

/** A client of REST v4, with or without a token. */
export interface Client {
  readonly get: (path: string) => Promise<ApiResponse>;
  readonly post: (path: string, body?: Parameters) => Promise<ApiResponse>;
  readonly put: (path: string, body?: Parameters) => Promise<ApiResponse>;
  readonly delete: (path: string) => Promise<ApiResponse>;
  /** Any other request; the body of the response is unread. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
}

/** A client of the server at `url` that sends `token`; paths are relative to `/api/v4`. */
export function clientOf(url: string, token: string | null): Client {
  const fetchPath = (path: string, init: RequestInit = {}) =>
    fetch(`${url}/api/v4${path}`, {
      ...init,
      redirect: 'manual',
      headers: { ...(token !== null && { 'Private-Token': token }), ...init.headers },
    });
  const send = async (method: string, path: string, body?: Parameters): Promise<ApiResponse> => {
    const response = await fetchPath(path, {
      method,
      ...(body && {
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json' },
      }),
    });
    const result = { status: response.status, body: await bodyOf(response) };
    // an error contains no secret of the service
    if (response.ok) recordSecrets({ sent: body, answer: result.body }, secretKeysOf(path));
    return result;
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
