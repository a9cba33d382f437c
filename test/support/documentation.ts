import { readdirSync, readFileSync } from 'node:fs';

/** A fenced block of a document: ` ```sh run ` has the language `sh` and the mark `run`. */
export interface CodeBlock {
  readonly language: string;
  /** `run`, `output`, `ci` or `file=<name>` (test/README.md describes them). */
  readonly marks: readonly string[];
  readonly code: string;
  readonly line: number;
}

/** The documents for users, in reading order: README, then the folder docs. */
export const userDocuments: readonly string[] = [
  'README.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map((name) => `docs/${name}`),
];

/** All Markdown of the project outside of fixtures. */
export const allDocuments: readonly string[] = [
  ...userDocuments,
  ...['ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'],
  ...readdirSync('docs/adr').map((name) => `docs/adr/${name}`),
  ...['prisma', 'rest-facade', 'schema', 'server', 'soap-facade', 'test'].flatMap((top) =>
    readdirSync(top, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('README.md') && !name.includes('node_modules'))
      .map((name) => `${top}/${name}`),
  ),
];

export function codeBlocks(path: string): readonly CodeBlock[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/^```(\S+)(.*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1] ?? '',
    marks: (match[2] ?? '').split(' ').filter(Boolean),
    code: match[3] ?? '',
    line: text.slice(0, match.index).split('\n').length,
  }));
}
