import type { Database } from '../../prisma/client.ts';

/** The target of notes and emoji. */
export interface FirstSnippet {
  readonly snippetId: number;
  readonly noteId: number;
}

/** The owners: users with personal snippets and keys, and a project with its own. */
interface SnippetOwners {
  readonly projectId: number;
  readonly authorId: number;
  readonly ownerIds: readonly number[];
}

/**
 * Adds snippet and key number `n` to a project and to each owner; notes and emoji belong to
 * `first`.
 */
export async function addSnippetsAndKeys(
  db: Database,
  number: number,
  { projectId, authorId, ownerIds }: SnippetOwners,
  first?: FirstSnippet,
): Promise<FirstSnippet> {
  const homes = [
    { projectId, authorId },
    ...ownerIds.map((ownerId) => ({ projectId: null, authorId: ownerId })),
  ];
  const [snippet] = await db.snippet.createManyAndReturn({
    data: homes.map((home) => ({
      ...home,
      title: `snippet ${number}`,
      fileName: 'a.txt',
      content: 'text',
      visibility: 'public' as const,
    })),
  });
  const snippetId = first?.snippetId ?? snippet?.id ?? 0;
  const note = await db.note.create({ data: { snippetId, authorId, body: `note ${number}` } });
  const noteId = first?.noteId ?? note.id;
  await db.awardEmoji.createMany({
    data: [{ snippetId }, { noteId }].map((on) => ({ ...on, userId: authorId, name: 'tada' })),
  });
  const [deployKey] = await db.key.createManyAndReturn({
    data: [null, ...ownerIds].map((userId) => ({
      userId,
      title: `key ${number}`,
      key: `ssh-ed25519 ${number}`,
      fingerprint: Buffer.from(`${number}-${userId}`),
    })),
  });
  await db.deployKeyProject.create({ data: { keyId: deployKey?.id ?? 0, projectId } });
  return { snippetId, noteId };
}
