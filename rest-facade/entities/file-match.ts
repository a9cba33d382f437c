import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { entity, s, shaped } from '../kernel/shape.ts';

export const fileMatchFields = graphql(`
  fragment FileMatchFields on FileMatch { projectId ref path firstLine text }
`);

/** The path without its last extension: `lib/a.test.ts` → `lib/a.test`. */
function basenameOf(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') + 1 ? path.slice(0, dot) : path;
}

/** Lines of a file that a search found. */
export const fileMatch = shaped(
  entity('FileMatch', {
    basename: s.text().describe('The path without the extension.'),
    data: s.text().describe('The lines, each with its line break.'),
    path: s.text().describe('The path from the root of the repository.'),
    filename: s.text().describe('The same as `path`.'),
    id: s.text().nullable().describe('Always null.'),
    ref: s.text().describe('The branch, tag or commit that was searched.'),
    startline: s.int().describe('The number of the first line, from 1.'),
    project_id: s.id().describe('The id of the project.'),
  }),
  ({ projectId, ref, path, firstLine, text }: ResultOf<typeof fileMatchFields>) => ({
    basename: basenameOf(path),
    data: text,
    path,
    filename: path,
    id: null,
    ref,
    startline: firstLine,
    project_id: projectId,
  }),
);
