import { readdirSync, readFileSync } from 'node:fs';

/** The kinds of files that projects start from. */
export type FileTemplateKind = 'gitignore' | 'ciFile' | 'dockerfile';

export interface FileTemplate {
  readonly kind: FileTemplateKind;
  /** Unique in its kind. */
  readonly name: string;
  readonly content: string;
}

type Texts = readonly (readonly [name: string, content: string])[];

const folder = (path: string) => new URL(`data/${path}`, import.meta.url);

/** The files of a folder, named without their suffix. */
const textsIn = (path: string, suffix: string): Texts =>
  readdirSync(folder(path))
    .filter((file) => file.endsWith(suffix))
    .toSorted()
    .map((file) => [
      file.slice(0, -suffix.length),
      readFileSync(folder(`${path}/${file}`), 'utf8'),
    ]);

/**
 * The files of github.com/github/gitignore (CC0 1.0) at commit dcc0fc7, without its folder `community`,
 * as one object: name → content.
 */
const gitignores = (): Texts =>
  Object.entries(JSON.parse(readFileSync(folder('gitignores.json'), 'utf8')));

const readers = {
  gitignore: gitignores,
  ciFile: () => textsIn('ci', '.gitlab-ci.yml'),
  dockerfile: () => textsIn('dockerfiles', '.Dockerfile'),
} as const satisfies Record<FileTemplateKind, () => Texts>;

export const fileTemplateKinds = Object.keys(readers) as readonly FileTemplateKind[];

type Templates = ReadonlyMap<string, FileTemplate>;

const loaded = new Map<FileTemplateKind, Templates>();

/** The templates of a kind by name, in the order of their names; read when they are first needed. */
export function fileTemplates(kind: FileTemplateKind): Templates {
  let templates = loaded.get(kind);
  if (!templates) {
    templates = new Map(readers[kind]().map(([name, content]) => [name, { kind, name, content }]));
    loaded.set(kind, templates);
  }
  return templates;
}
