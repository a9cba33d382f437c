import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { parentOf } from '../kernel/addresses.ts';
import { type Html, html } from '../kernel/html.ts';
import { bytes } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { fileLinking } from '../markdown/linking.ts';
import { markdown } from '../markdown/markdown.ts';
import { isMarkdown, largestShown, textOf } from './content.ts';
import { locationFields, pathTrail } from './location.ts';
import { isNamedAsPicture } from './raw.ts';

/** Browsers render more lines too slowly. */
const mostLines = 20_000;

const file = graphql(
  `query BrowsedFile($project: ID!, $address: String!) {
    repository(project: $project) { location(address: $address) { ...LocationFields } }
  }`,
  [locationFields],
);

/** A file at a ref: `<ref>/<path>`; `?plain=1` shows the source of Markdown. */
export const showBlob: ProjectPage = async (visit, project, rest) => {
  const variables = { project: String(project.id), address: rest };
  const { location } = (await visit.ask(file, variables)).repository;
  const { ref, path, entry, size } = location;
  if (entry?.type === 'tree' || (path === '' && rest !== '')) {
    return { redirect: addressIn(visit, project, 'tree', ref, path) };
  }
  if (!entry || size === null) throw pathNotFound();
  const isRendered = isMarkdown(entry.name) && visit.query.plain !== '1';
  const address = addressIn(visit, project, 'blob', ref, path);
  const main = html`<h1>${entry.name}</h1>
${pathTrail(visit, project, location)}
<p class="actions"><span class="quiet">${bytes(size)}</span>
${
  isMarkdown(entry.name) &&
  html`<a href="${isRendered ? `${address}?plain=1` : address}">${isRendered ? 'Source' : 'Rendered'}</a>`
}
<a href="${addressIn(visit, project, 'raw', ref, path)}">Raw</a>
<a href="${addressIn(visit, project, 'commits', ref, path)}">History</a></p>
${await contentOf(visit, project, { ref, path, id: entry.id, size, isRendered })}`;
  return projectPage(visit, project, 'tree', path, main);
};

interface Shown {
  readonly ref: string;
  readonly path: string;
  readonly id: string;
  readonly size: number;
  readonly isRendered: boolean;
}

async function contentOf(visit: Visit, project: Project, file: Shown): Promise<Html> {
  const { ref, path, id, size, isRendered } = file;
  const raw = addressIn(visit, project, 'raw', ref, path);
  if (isNamedAsPicture(path)) return html`<p><img class="picture" src="${raw}" alt="${path}"></p>`;
  const text = size > largestShown ? null : await textOf(visit, project, { sha: id, size });
  if (text === null) {
    const why = size > largestShown ? 'This file is too large to show.' : 'Binary file.';
    return html`<p class="quiet">${why} <a href="${raw}">Download</a></p>`;
  }
  if (text === '') return html`<p class="quiet">This file is empty.</p>`;
  if (isRendered) {
    return markdown(visit, text, fileLinking(visit, project, { ref, folder: parentOf(path) }));
  }
  return (
    numbered(text) ??
    html`<p class="quiet">This file has too many lines to show. <a href="${raw}">Download</a></p>`
  );
}

/** A text with numbered, linkable lines; null if there are too many. */
export function numbered(text: string): Html | null {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  if (lines.length > mostLines) return null;
  return html`<pre class="numbered" tabindex="0"><code>${lines.map((line, place) => {
    const number = place + 1;
    return html`<span id="L${number}"><a href="#L${number}">${number}</a>${line}
</span>`;
  })}</code></pre>`;
}
