import { expect } from 'vitest';
import type { Database, Prisma } from '../../prisma/client.ts';
import type { TestUser } from './seed.ts';
import { basicUserShape, instant } from './shapes.ts';

/** An issue created for a test. */
export interface TestIssue {
  readonly id: number;
  readonly iid: number;
  /** The path below `/api/v4`. */
  readonly path: string;
}

type Traits = Partial<Prisma.IssueUncheckedCreateInput>;

/** Stores issues, each with the next number of its project. */
export function issuesOf(db: Database) {
  const lastIids = new Map<number, number>();
  return async (projectId: number, author: TestUser, traits: Traits = {}): Promise<TestIssue> => {
    const iid = (lastIids.get(projectId) ?? 0) + 1;
    lastIids.set(projectId, iid);
    const { id } = await db.issue.create({
      data: { projectId, iid, authorId: author.id, ...traits, text: { create: { title: 'It' } } },
    });
    return { id, iid, path: `/projects/${projectId}/issues/${iid}` };
  };
}

interface NoteTraits {
  readonly body: string;
  /** The author's address as the caller sees it. */
  readonly email?: string | null;
  readonly system?: boolean;
  readonly id?: unknown;
  readonly createdAt?: string;
}

/** A note on an issue as seen by a user with or without access to the author's address. */
export const noteShape = (
  url: string,
  author: TestUser,
  { id, iid }: Pick<TestIssue, 'id' | 'iid'>,
  { body, email = author.email, system = false, id: noteId, createdAt }: NoteTraits,
) => ({
  id: noteId ?? expect.any(Number),
  body,
  attachment: null,
  author: { ...basicUserShape(url, author), email, created_at: instant },
  created_at: createdAt ?? instant,
  updated_at: instant,
  system,
  noteable_id: id,
  noteable_type: 'Issue',
  noteable_iid: iid,
});

export const awardShape = (
  url: string,
  user: TestUser,
  awardable: { readonly id: number; readonly type: 'Issue' | 'Note' | 'Snippet' },
  name: string,
) => ({
  id: expect.any(Number),
  name,
  user: basicUserShape(url, user),
  created_at: instant,
  updated_at: instant,
  awardable_id: awardable.id,
  awardable_type: awardable.type,
});
