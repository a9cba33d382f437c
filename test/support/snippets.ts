import type { Database, Prisma } from '../../prisma/client.ts';
import type { TestUser } from './seed.ts';
import { basicUserShape, instant } from './shapes.ts';

/** A snippet created for a test. */
export interface TestSnippet {
  readonly id: number;
  /** The path below `/api/v4`. */
  readonly path: string;
}

type Traits = Partial<Prisma.SnippetUncheckedCreateInput>;

/** Stores snippets of a project, or personal ones. */
export const snippetsOf =
  (db: Database) =>
  async (projectId: number | null, author: TestUser, traits: Traits = {}): Promise<TestSnippet> => {
    const { id } = await db.snippet.create({
      data: {
        projectId,
        authorId: author.id,
        title: 'Greeting',
        fileName: 'greet.rb',
        content: "puts 'Hi'",
        visibility: 'private',
        ...traits,
      },
    });
    return { id, path: `${projectId === null ? '' : `/projects/${projectId}`}/snippets/${id}` };
  };

/** A snippet as stored by `snippetsOf`. */
export const snippetShape = (url: string, author: TestUser, id: unknown, home: string) => ({
  id,
  title: 'Greeting',
  file_name: 'greet.rb',
  description: null,
  author: basicUserShape(url, author),
  updated_at: instant,
  created_at: instant,
  web_url: `${url}${home}/snippets/${id}`,
});

/** The same for a personal snippet. */
export const personalSnippetShape = (url: string, author: TestUser, id: unknown) => ({
  ...snippetShape(url, author, id, ''),
  raw_url: `${url}/snippets/${id}/raw`,
});
