import { createHash, randomBytes } from 'node:crypto';
import type { TestUser } from './seed.ts';

const mediaType = 'application/vnd.git-lfs+json';

/** Content that compresses badly, with its id. */
export function contentOf(content: string | Buffer) {
  const bytes = Buffer.from(content);
  return { bytes, oid: createHash('sha256').update(bytes).digest('hex'), size: bytes.length };
}

export type Content = ReturnType<typeof contentOf>;

export const randomContent = (size: number): Content => contentOf(randomBytes(size));

/** A username and password, or the value of the header. */
export type LfsUser = TestUser | string | null;

export interface LfsAction {
  readonly href: string;
  readonly header?: Readonly<Record<string, string>>;
  readonly expires_in?: number;
}

export interface BatchResponse {
  readonly objects: readonly {
    readonly oid: string;
    readonly size: number;
    readonly actions?: Readonly<Record<'download' | 'upload', LfsAction | undefined>>;
    readonly error?: { readonly code: number; readonly message: string };
  }[];
}

const authorizationOf = (user: LfsUser): Record<string, string> => {
  if (user === null) return {};
  if (typeof user === 'string') return { Authorization: user };
  const pair = `${user.username}:${user.token}`;
  return { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
};

/** The LFS endpoints of a server as a client uses them. */
export function lfsClient(url: string) {
  const send = async (
    user: LfsUser,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const response = await fetch(`${url}/${path}`, {
      redirect: 'manual',
      method: body === undefined ? 'GET' : 'POST',
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      headers: {
        Accept: mediaType,
        ...(body !== undefined && { 'Content-Type': mediaType }),
        ...authorizationOf(user),
        ...headers,
      },
    });
    const text = await response.text();
    const isJson = response.headers.get('Content-Type') === mediaType;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : text,
    };
  };
  const batch = (
    user: LfsUser,
    project: string,
    operation: 'download' | 'upload',
    objects: readonly { readonly oid: string; readonly size: number }[],
    further: object = {},
  ) =>
    send(user, `${project}.git/info/lfs/objects/batch`, {
      operation,
      transfers: ['basic'],
      objects: objects.map(({ oid, size }) => ({ oid, size })),
      ...further,
    });
  /** The action that the server gives for one object. */
  const actionOf = async (
    user: LfsUser,
    project: string,
    operation: 'download' | 'upload',
    content: Content,
  ): Promise<LfsAction> => {
    const { status, body } = await batch(user, project, operation, [content]);
    const action = (body as BatchResponse).objects?.[0]?.actions?.[operation];
    if (!action) throw new Error(`no action: ${status} ${JSON.stringify(body)}`);
    return action;
  };
  const put = (
    { href, header = {} }: LfsAction,
    body: Buffer,
    headers: Readonly<Record<string, string>> = {},
  ) =>
    fetch(href, {
      method: 'PUT',
      body: new Uint8Array(body),
      headers: { 'Content-Type': 'application/octet-stream', ...header, ...headers },
    });
  const get = (
    { href, header = {} }: LfsAction,
    headers: Readonly<Record<string, string>> = {},
    method = 'GET',
  ) => fetch(href, { method, headers: { ...header, ...headers } });
  return {
    send,
    batch,
    actionOf,
    put,
    get,
    authorizationOf,
    /** Uploads a content to a project; gives the status of the transfer. */
    upload: async (user: LfsUser, project: string, content: Content) =>
      (await put(await actionOf(user, project, 'upload', content), content.bytes)).status,
    /** Downloads a content of a project. */
    download: async (user: LfsUser, project: string, content: Content) =>
      Buffer.from(
        await (await get(await actionOf(user, project, 'download', content))).arrayBuffer(),
      ),
  };
}
