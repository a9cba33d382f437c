import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { parentOf } from '../kernel/addresses.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { fileLinking } from '../markdown/linking.ts';
import { markdown, plain } from '../markdown/markdown.ts';
import { isMarkdown, largestShown, textOf } from './content.ts';

interface Readme {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly blobId: string;
  readonly ref: string;
}

/** The README of a folder; Markdown is rendered. */
export async function readmeOf(visit: Visit, project: Project, readme: Readme): Promise<Html> {
  const { name, path, size, blobId, ref } = readme;
  const address = addressIn(visit, project, 'blob', ref, path);
  const text = size > largestShown ? null : await textOf(visit, project, { sha: blobId, size });
  return html`<section class="readme" aria-labelledby="readme-name">
<h2 id="readme-name"><a href="${address}">${name}</a></h2>
${text === null ? html`<p class="quiet">This file is binary or too large to show.</p>` : await shown(visit, project, readme, text)}
</section>`;
}

async function shown(
  visit: Visit,
  project: Project,
  { name, path, ref }: Readme,
  text: string,
): Promise<Html> {
  return isMarkdown(name)
    ? markdown(visit, text, fileLinking(visit, project, { ref, folder: parentOf(path) }))
    : plain(text);
}
