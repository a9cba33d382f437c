import type { Database } from '../../prisma/client.ts';

/** What notes and emojis are about. */
export interface FirstSnippet {
  readonly snippetId: number;
  readonly noteId: number;
}

/** Where and whose they are: people have personal snippets and keys, a project shared ones. */
interface Homes {
  readonly projectId: number;
  readonly authorId: number;
  readonly ownerIds: readonly number[];
}

/**
 * Adds, numbered so, a snippet and a key to a project and to each owner; notes and emojis are about
 * what `first` names.
 */
export async function addSnippetsAndKeys(
  db: Database,
  number: number,
  { projectId, authorId, ownerIds }: Homes,
  first?: FirstSnippet,
): Promise<FirstSnippet> {
  const homes = [
    { projectId, authorId },
    ...ownerIds.map((ownerId) => ({ projectId: null, authorId: ownerId })),
  ];
  const [made] = await db.snippet.createManyAndReturn({
    data: homes.map((home) => ({
      ...home,
      title: `snippet ${number}`,
      fileName: 'a.txt',
      content: 'text',
      visibility: 'public' as const,
    })),
  });
  const snippetId = first?.snippetId ?? made?.id ?? 0;
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
