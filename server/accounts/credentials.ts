import { LRUCache } from 'lru-cache';
import type { Database } from '../../prisma/client.ts';
import type { Context, Viewer } from '../../schema/kernel/context.ts';
import type { Viewers } from '../../schema/ports/viewers.ts';
import { findByPassword } from '../../schema/sessions/sign-in.ts';
import { type Credential, credentialOf, viewerOf } from '../../schema/sessions/viewer.ts';

/** How long a found credential may be believed without asking again, should a notice get lost. */
const believedFor = 60_000;
const remembered = 10_000;

/** Who somebody is by what they show; remembered until the database says that it changed. */
export interface Credentials extends Viewers {
  /** Who holds this token, or null when it is not good. */
  ofToken(token: string): Promise<Credential | null>;
  /** Who has this name or e-mail and password, or null; people with a second factor have none. */
  ofPassword(login: string, password: string): Promise<Viewer | null>;
  /** What the database notified: a user's id, or `*` for everybody. */
  changed(payload: string): void;
}

interface Remembered {
  readonly credential: Credential;
}

type Parts = Pick<Context, 'secrets' | 'passwords' | 'settings'> & { readonly db: Database };

export function createCredentials(parts: Parts): Credentials {
  const { db, secrets } = parts;
  const memory = new LRUCache<string, Remembered>({ max: remembered, ttl: believedFor });
  /** Bumped by each change: what was read before it is not remembered after it. */
  let generation = 0;

  const forget = (isMeant: (viewer: Viewer) => boolean) => {
    generation += 1;
    for (const [key, { credential }] of memory.entries()) {
      if (isMeant(credential.viewer)) memory.delete(key);
    }
  };

  const remember = async (
    digest: Uint8Array<ArrayBuffer>,
    find: () => Promise<Credential | null>,
  ): Promise<Credential | null> => {
    const key = Buffer.from(digest).toString('latin1');
    const known = memory.get(key)?.credential;
    if (known && !(known.expiresAt && known.expiresAt <= new Date())) return known;
    const asked = generation;
    const credential = await find();
    if (credential && asked === generation) memory.set(key, { credential });
    return credential;
  };

  return {
    ofToken: (token) => {
      const digest = secrets.digest(token);
      return remember(digest, () => credentialOf(db, digest));
    },
    ofPassword: async (login, password) => {
      const digest = secrets.digest(`password\0${login}\0${password}`);
      const credential = await remember(digest, async () => {
        const user = await findByPassword({ login, password }, parts);
        const viewer = user && !user.isTwoFactorEnabled ? await viewerOf(db, user.id) : null;
        return viewer && { viewer, scopes: ['api'], expiresAt: null };
      });
      return credential?.viewer ?? null;
    },
    forget: (userId) => forget(({ id }) => id === userId),
    forgetAll: () => forget(() => true),
    changed: (payload) => forget(({ id }) => payload === '*' || id === Number(payload)),
  };
}
