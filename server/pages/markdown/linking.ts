import type { Linking } from '../../../schema/markdown/linking.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { parentOf } from '../kernel/addresses.ts';
import type { Visit } from '../kernel/page.ts';

/** Links in a repository file point to files at the same ref. */
export const fileLinking = (
  visit: Visit,
  project: Project,
  { ref, folder }: { readonly ref: string; readonly folder: string },
): Linking => ({
  folder,
  link: addressIn(visit, project, 'blob', ref),
  picture: addressIn(visit, project, 'raw', ref),
  uploads: null,
  isWiki: false,
  project: addressIn(visit, project),
  users: visit.url(''),
});

/** Links in descriptions and notes point to uploads and to files of the default branch. */
export const textLinking = (visit: Visit, project: Project): Linking => ({
  ...fileLinking(visit, project, { ref: project.defaultBranch ?? 'HEAD', folder: '' }),
  uploads: addressIn(visit, project),
});

/** Links in a wiki page point to other pages and to uploads. */
export function wikiLinking(visit: Visit, project: Project, slug: string): Linking {
  const pages = addressIn(visit, project, 'wikis');
  return {
    folder: parentOf(slug),
    link: pages,
    picture: pages,
    uploads: addressIn(visit, project),
    isWiki: true,
    project: addressIn(visit, project),
    users: visit.url(''),
  };
}

/** Links in texts outside of projects are relative to our root. */
export const ownLinking = (visit: Visit): Linking => ({
  folder: '',
  link: visit.url(''),
  picture: visit.url(''),
  uploads: null,
  isWiki: false,
  project: null,
  users: visit.url(''),
});
