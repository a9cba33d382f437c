import type { TestUser } from './seed.ts';

type Headers = Readonly<Record<string, string>>;
/** Values by name, or a list of pairs if a name occurs twice. */
type Fields = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

/** A response to a visitor. */
export interface PageResponse {
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
  readonly headers: globalThis.Headers;
}

/** A simulated browser that keeps its cookie and sends the hidden fields of forms. */
export interface Visitor {
  /** Requests HTML, as browsers do. */
  readonly get: (path: string, headers?: Headers) => Promise<PageResponse>;
  /** Sends a form unchanged. */
  readonly post: (path: string, fields: Fields, headers?: Headers) => Promise<PageResponse>;
  /** The form token on a page; '' if there is none. */
  readonly formToken: (path: string) => Promise<string>;
  /** Sends a form with the token from `page`. */
  readonly submitFrom: (
    page: string,
    path: string,
    fields: Fields,
    headers?: Headers,
  ) => Promise<PageResponse>;
  /** Sends a form with this browser's form token. */
  readonly submit: (path: string, fields?: Fields, headers?: Headers) => Promise<PageResponse>;
  readonly signIn: (user: Pick<TestUser, 'username' | 'password'>) => Promise<PageResponse>;
  /** The value of the session cookie, and the latest Set-Cookie header. */
  cookie: string | null;
  readonly setCookie: () => string | null;
}

/** A visitor of the service at `url`, with or without an initial cookie. */
export function visitorAt(url: string, cookie: string | null = null): Visitor {
  let setCookie: string | null = null;
  const send = async (path: string, init: RequestInit): Promise<PageResponse> => {
    const response = await fetch(`${url}${path}`, {
      ...init,
      redirect: 'manual',
      headers: {
        Accept: 'text/html,*/*;q=0.8',
        ...(visitor.cookie && { Cookie: `_millrace_session=${visitor.cookie}` }),
        ...init.headers,
      },
    });
    for (const line of response.headers.getSetCookie()) {
      setCookie = line;
      visitor.cookie = /^_millrace_session=([^;]+)/.exec(line)?.[1] ?? null;
    }
    const { status, headers } = response;
    return { status, headers, location: headers.get('Location'), text: await response.text() };
  };
  const post = (path: string, fields: Fields, headers: Headers = {}) =>
    send(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(pairsOf(fields)).toString(),
    });
  const visitor: Visitor = {
    cookie,
    setCookie: () => setCookie,
    get: (path, headers = {}) => send(path, { headers }),
    post,
    formToken: async (path) => tokenIn((await visitor.get(path)).text),
    submitFrom: async (page, path, fields, headers) => {
      const token = await visitor.formToken(page);
      return post(path, [['authenticity_token', token], ...pairsOf(fields)], headers);
    },
    submit: async (path, fields = {}, headers) => {
      // the sign-in page redirects signed-in users; for them any page has the sign-out form
      const { status } = await visitor.get('/users/sign_in');
      const page = status === 200 ? '/users/sign_in' : '/profile';
      return visitor.submitFrom(page, path, fields, headers);
    },
    signIn: ({ username, password }) =>
      visitor.submit('/users/sign_in', { login: username, password }),
  };
  return visitor;
}

const pairsOf = (fields: Fields): [string, string][] =>
  Symbol.iterator in fields
    ? [...fields].map(([name, text]) => [name, text])
    : Object.entries(fields);

const tokenIn = (text: string): string =>
  /name="authenticity_token" value="([^"]+)"/.exec(text)?.[1] ?? '';

/** A page without the nonce of its scripts, which differs in each response. */
export const withoutNonce = (page: string): string => page.replaceAll(/ nonce="[^"]*"/g, '');
