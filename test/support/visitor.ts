import type { Person } from './seed.ts';

type Headers = Readonly<Record<string, string>>;
/** Texts by name, or in a row where a name comes twice. */
type Fields = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

/** What came back: where to look next, and the text of the page. */
export interface Seen {
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
  readonly headers: globalThis.Headers;
}

/** A browser as a program plays it: it keeps its cookie and fills in what hidden fields it was sent. */
export interface Visitor {
  /** Asks as browsers do, for HTML. */
  readonly get: (path: string, headers?: Headers) => Promise<Seen>;
  /** Sends a form just as it stands. */
  readonly post: (path: string, fields: Fields, headers?: Headers) => Promise<Seen>;
  /** The token in a form of a page; '' without one. */
  readonly formToken: (path: string) => Promise<string>;
  /** Sends a form with the token that `page` carries. */
  readonly submitFrom: (
    page: string,
    path: string,
    fields: Fields,
    headers?: Headers,
  ) => Promise<Seen>;
  /** Sends a form with the token that pages carry for this browser. */
  readonly submit: (path: string, fields?: Fields, headers?: Headers) => Promise<Seen>;
  readonly signIn: (person: Pick<Person, 'username' | 'password'>) => Promise<Seen>;
  /** The value of the session's cookie, and how it was set last. */
  cookie: string | null;
  readonly setCookie: () => string | null;
}

/** Somebody who looks at the service at `url`, with a cookie at first or without. */
export function visitorAt(url: string, cookie: string | null = null): Visitor {
  let setCookie: string | null = null;
  const send = async (path: string, init: RequestInit): Promise<Seen> => {
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
      // whoever is signed in is led on from there, and finds the form that signs out on any page
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
