import { archiveDocument, archiveResponse } from '../../../rest-facade/repository-archive.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { menu } from '../kernel/parts.ts';

const formats = ['zip', 'tar.gz', 'tar.bz2', 'tar'];

/** A menu with the archives of a branch, tag or commit. */
export const archiveMenu = (visit: Visit, project: Project, ref: string): Html =>
  menu(
    html`${icon('download')}Download${icon('chevron-down')}`,
    formats.map(
      (format) =>
        html`<a href="${addressIn(visit, project, 'repository', ref, `archive.${format}`)}" download>${format}</a>`,
    ),
    'Download an archive',
  );

async function sendArchive(
  visit: Visit,
  project: Project,
  { ref, format }: { readonly ref: string | null; readonly format: string },
): Promise<Answer> {
  const data = await visit.ask(archiveDocument, { project: String(project.id), ref });
  const archive = await archiveResponse(data, format, visit.archives);
  if (!archive) throw pathNotFound();
  return archive;
}

/** `/repository/<ref>/archive.<format>`; without a ref that of `?ref=`, or the default branch. */
export const showArchive: ProjectPage = (visit, project, rest) => {
  const [, ref = visit.query.ref, format] = /^(?:(.+)\/)?archive\.([a-z0-9.]+)$/.exec(rest) ?? [];
  if (format === undefined) throw pathNotFound();
  return sendArchive(visit, project, { ref: ref || null, format });
};

/** `/-/archive/<ref>/<name>.<format>`, as newer GitLab has it. */
export const showNamedArchive: ProjectPage = (visit, project, rest) => {
  const end = rest.lastIndexOf('/');
  const format = formats.find((name) => rest.endsWith(`.${name}`));
  if (end <= 0 || format === undefined) throw pathNotFound();
  return sendArchive(visit, project, { ref: rest.slice(0, end), format });
};
