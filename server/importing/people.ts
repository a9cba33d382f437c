import { LRUCache } from 'lru-cache';
import type { Database } from '../../prisma/client.ts';
import { userByEmail } from '../../schema/users/by-email.ts';
import { type Person, userShape } from './shapes.ts';
import { isRefused, type Source } from './source.ts';

/** Enough for every author of most instances; the others are asked for again. */
const mostRemembered = 100_000;

/** Finds the users here who are the users of the source. */
export interface People {
  /** The id of the user with the same e-mail address; null if there is none, or the source keeps it secret. */
  readonly find: (person: Person | null | undefined) => Promise<number | null>;
  /** Those of `persons` who are users here. */
  readonly findAll: (persons: readonly Person[]) => Promise<number[]>;
  /** Usernames at the source of those who are not, as far as they are remembered. */
  readonly unknown: () => readonly string[];
}

/** Asks the source for each user once. */
export function peopleOf(source: Source, db: Database): People {
  const unknown = new Set<string>();

  const addressOf = async ({ id }: Person): Promise<string> => {
    try {
      const user = await source.read(`users/${id}`, userShape);
      // any user could enter the address of another one
      if (user.confirmed_at === null) return '';
      return user.email || user.public_email || '';
    } catch (error) {
      // deleted, or hidden from this token
      if (isRefused(error)) return '';
      throw error;
    }
  };

  const remembered = new LRUCache<number, { readonly userId: number | null }, Person>({
    max: mostRemembered,
    fetchMethod: async (_id, _stale, { context: person }) => {
      const user = await userByEmail(await addressOf(person), { db });
      if (!user && unknown.size < mostRemembered) unknown.add(person.username);
      return { userId: user?.id ?? null };
    },
  });

  const find: People['find'] = async (person) =>
    person ? ((await remembered.fetch(person.id, { context: person }))?.userId ?? null) : null;

  return {
    find,
    findAll: async (persons) => {
      const ids = await Promise.all(persons.map(find));
      return [...new Set(ids.filter((id) => id !== null))];
    },
    unknown: () => [...unknown],
  };
}
