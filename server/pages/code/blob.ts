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
import { fileBar, fileButtons } from './file-bar.ts';
import { latestCommit } from './latest-commit.ts';
import { locationFields, placeBar } from './location.ts';
import { numberedSource, sourceOf } from './numbered.ts';
import { isNamedAsPicture } from './raw.ts';

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
  if (visit.query.fragment === 'commit') {
    return { fragment: await latestCommit(visit, project, location, 'blob') };
  }
  const isRendered = isMarkdown(entry.name) && visit.query.plain !== '1';
  const { content, facts } = await contentOf(visit, project, {
    ...{ ref, path, size, isRendered },
    id: entry.id,
  });
  const main = html`<h1 class="unseen">${path} at ${ref}</h1>
${placeBar(visit, project, 'blob', location, fileButtons(visit, project, location, 'blob'))}
${await latestCommit(visit, project, location, 'blob')}
${fileBar(visit, project, location, { facts: [...facts, bytes(size)], isRendered })}
${content}`;
  return { ...projectPage(visit, project, 'tree', path, main), isWide: true };
};

interface Shown {
  readonly ref: string;
  readonly path: string;
  readonly id: string;
  readonly size: number;
  readonly isRendered: boolean;
}

interface Content {
  readonly content: Html;
  /** What the bar above the content says about it. */
  readonly facts: readonly string[];
}

async function contentOf(visit: Visit, project: Project, file: Shown): Promise<Content> {
  const { ref, path, id, size, isRendered } = file;
  const raw = addressIn(visit, project, 'raw', ref, path);
  const instead = (why: string) => ({
    content: html`<p class="quiet file-box">${why} <a href="${raw}">Download</a></p>`,
    facts: [],
  });
  if (isNamedAsPicture(path)) {
    return {
      content: html`<p class="file-box"><img class="picture" src="${raw}" alt="${path}"></p>`,
      facts: [],
    };
  }
  if (size > largestShown) return instead('This file is too large to show.');
  const read = () => textOf(visit, project, { sha: id, size });
  if (isRendered) {
    const text = await read();
    if (text === null) return instead('Binary file.');
    const linking = fileLinking(visit, project, { ref, folder: parentOf(path) });
    const prose = text === '' ? empty : await markdown(visit, text, linking);
    return { content: html`<div class="file-box">${prose}</div>`, facts: [] };
  }
  const source = await sourceOf(visit, { key: id, path, read });
  if ('markup' in source) {
    const { lines } = source;
    return {
      content: numberedSource(path, source),
      facts: [lines === 1 ? '1 line' : `${lines} lines`],
    };
  }
  switch (source.hidden) {
    case 'empty':
      return { content: html`<div class="file-box">${empty}</div>`, facts: [] };
    case 'binary':
      return instead('Binary file.');
    case 'too many lines':
      return instead('This file has too many lines to show.');
  }
}

const empty = html`<p class="quiet">This file is empty.</p>`;
