import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { type Html, html } from '../kernel/html.ts';
import { bytes, pageOf, pager } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { authorName } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';
import { largestShown, textOf } from './content.ts';
import { fileBar, fileButtons } from './file-bar.ts';
import { locationFields, placeBar } from './location.ts';
import { sourceOf } from './numbered.ts';
import { splitLines } from './split-lines.ts';

/** Lines on a page. */
const pageSize = 500;

const place = graphql(
  `query BlamedPlace($project: ID!, $address: String!) {
    repository(project: $project) { location(address: $address) { ...LocationFields } }
  }`,
  [locationFields],
);

const blame = graphql(
  `query BlamedLines($project: ID!, $ref: String!, $path: String!, $first: Int!, $last: Int!) {
    repository(project: $project) {
      file(ref: $ref, path: $path) {
        blame(firstLine: $first, lastLine: $last) {
          commit { id title author { name at } }
          lines
        }
      }
    }
  }`,
);

type Range = ResultOf<typeof blame>['repository']['file']['blame'][number];

/** A file with the commit that last changed each of its lines, a page of lines at a time. */
export const showBlame: ProjectPage = async (visit, project, rest) => {
  const id = String(project.id);
  const { location } = (await visit.ask(place, { project: id, address: rest })).repository;
  const { ref, path, entry, size, commitId } = location;
  if (entry?.type === 'tree') return { redirect: addressIn(visit, project, 'tree', ref, path) };
  if (!entry || size === null) throw pathNotFound();
  const page = pageOf(visit);
  const first = (page - 1) * pageSize + 1;
  const shown = async (): Promise<{
    readonly content: Html;
    readonly facts: readonly string[];
  }> => {
    if (size > largestShown) return { content: tooLarge, facts: [] };
    const read = () => textOf(visit, project, { sha: entry.id, size });
    const source = await sourceOf(visit, { key: entry.id, path, read });
    if (!('markup' in source)) return { content: withoutLines[source.hidden], facts: [] };
    const { lines } = source;
    const range = { ref: commitId, path, first, last: first + pageSize - 1 };
    const { file } = (await visit.ask(blame, { project: id, ...range })).repository;
    const markup = splitLines(source.markup.toString()).slice(first - 1, first - 1 + pageSize);
    const address = addressIn(visit, project, 'blame', ref, path);
    return {
      content: html`${hunks(visit, project, file.blame, { first, markup, path })}
${pager({ address, page, total: lines, size: pageSize, label: 'Lines' })}`,
      facts: [lines === 1 ? '1 line' : `${lines} lines`],
    };
  };
  const { content, facts } = await shown();
  const main = html`<h1 class="unseen">Blame of ${path} at ${ref}</h1>
${placeBar(visit, project, 'blame', location, fileButtons(visit, project, location, 'blame'))}
${fileBar(visit, project, location, { facts: [...facts, bytes(size)] })}
${content}`;
  return { ...projectPage(visit, project, 'tree', `Blame of ${path}`, main), isWide: true };
};

const message = (text: string): Html => html`<p class="quiet file-box">${text}</p>`;

const tooLarge = message('This file is too large for blame.');

const withoutLines = {
  binary: message('Binary file.'),
  empty: message('This file is empty.'),
  'too many lines': message('This file has too many lines for blame.'),
};

interface Lines {
  readonly first: number;
  readonly markup: readonly Html[];
  readonly path: string;
}

function hunks(
  visit: Visit,
  project: Project,
  ranges: readonly Range[],
  { first, markup, path }: Lines,
): Html {
  let next = first;
  const rows = ranges.map(({ commit, lines }) => {
    const start = next;
    next += lines.length;
    const shown = markup.slice(start - first, next - first);
    const { id, title, author } = commit;
    return html`<tr><th scope="row"><span class="bar"><a href="${addressIn(visit, project, 'commit', id)}">${title}</a>
<a class="quiet" href="${addressIn(visit, project, 'blame', id, path)}"><span class="unseen">Blame at ${id.slice(0, 8)}, </span>${when(author.at)}</a></span>
<span class="quiet">${authorName(author.name)}</span></th>
<td><pre class="line-numbers">${shown.map((_line, place) => {
      const number = start + place;
      return html`<a id="L${number}" href="#L${number}">${number}</a>
`;
    })}</pre></td>
<td><pre class="code-text"><code>${shown.map(
      (line) => html`${line}
`,
    )}</code></pre></td></tr>`;
  });
  return html`<div class="source blame" role="region" aria-label="Blame of ${path}" tabindex="0" data-lines><table>
<thead class="unseen"><tr><th scope="col">Commit</th><th scope="col">Line</th><th scope="col">Text</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}
