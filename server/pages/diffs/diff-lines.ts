import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { largestShown, textOf } from '../code/content.ts';
import { locationFields } from '../code/location.ts';
import { addressIn } from '../frame/address-in.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { html } from '../kernel/html.ts';
import { isParallel } from './compared.ts';
import { expandRow, linesAtOnce } from './diff-rows.ts';

const file = graphql(
  `query DiffLinesFile($project: ID!, $address: String!) {
    repository(project: $project) { location(address: $address) { ...LocationFields } }
  }`,
  [locationFields],
);

const fileId = /^[df][0-9a-f]{10}$/;

/** A number in the query; null if there is none. */
function numberFrom(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^-?\d{1,9}$/.test(text)) throw pathNotFound();
  return Number(text);
}

/**
 * Lines of a file that a diff leaves out, as rows for a script: `<commit>/<path>?from=…&to=…&shift=…`,
 * where `shift` is how much greater the numbers before the change are. Of a longer gap the last lines,
 * after the last change the first ones.
 */
export const showDiffLines: ProjectPage = async (visit, project, rest) => {
  const variables = { project: String(project.id), address: rest };
  const { ref, path, entry, size } = (await visit.ask(file, variables)).repository.location;
  if (entry?.type !== 'blob' || size === null || size > largestShown) throw pathNotFound();
  const { query } = visit;
  const from = numberFrom(query.from) ?? 1;
  const to = numberFrom(query.to);
  const shift = numberFrom(query.shift) ?? 0;
  const id = query.file ?? '';
  if (!fileId.test(id) || from < 1) throw pathNotFound();
  const text = await textOf(visit, project, { sha: entry.id, size });
  if (text === null) throw pathNotFound();
  const lines = text.replace(/\n$/, '').split('\n');
  const last = Math.min(to ?? from + linesAtOnce - 1, lines.length);
  const first = to === null ? from : Math.max(from, last - linesAtOnce + 1);
  const options = {
    id,
    isParallel: isParallel(visit),
    linesAddress: addressIn(visit, project, 'diff_lines', ref, path),
    blobAddress: addressIn(visit, project, 'blob', ref, path),
    commentAddress: null,
  };
  const rows = lines.slice(first - 1, last).map((line, place) => {
    const now = first + place;
    const numbers = html`<td class="n">${now + shift}</td>`;
    return options.isParallel
      ? html`<tr>${numbers}<td class="context">${line}</td><td class="n">${now}</td><td class="context">${line}</td></tr>
`
      : html`<tr class="context">${numbers}<td class="n">${now}</td><td>${line}</td></tr>
`;
  });
  const hasMore = to === null ? last < lines.length : first > from;
  const gap = to === null ? { from: last + 1, to, shift } : { from, to: first - 1, shift };
  const more = hasMore && expandRow(options, gap, null);
  return { fragment: to === null ? html`${rows}${more}` : html`${more}${rows}` };
};
