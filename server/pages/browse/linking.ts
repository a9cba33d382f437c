import type { Visit } from '../page.ts';
import { addressIn, type Project } from './project-head.ts';

/** Where the relative addresses in a text lead: data, so that a worker thread can place them. */
export interface Linking {
  /** The folder of the text, '' for the root. */
  readonly folder: string;
  /** The address below which linked paths lie. */
  readonly link: string;
  /** The address below which the paths of pictures lie. */
  readonly picture: string;
  /** The address below which uploads lie; null: they are paths like others. */
  readonly uploads: string | null;
  /** Links lead to pages of a wiki, whose names have no ending. */
  readonly isWiki: boolean;
}

/** Relative addresses in a file of the repository lead to other files of the same commit. */
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
});

/** Those in what people say lead to what they uploaded, and to files of the default branch. */
export const textLinking = (visit: Visit, project: Project): Linking => ({
  ...fileLinking(visit, project, { ref: project.defaultBranch ?? 'HEAD', folder: '' }),
  uploads: addressIn(visit, project),
});

/** Those in a page of a wiki lead to other pages, and to what was uploaded. */
export function wikiLinking(visit: Visit, project: Project, slug: string): Linking {
  const pages = addressIn(visit, project, 'wikis');
  return {
    folder: slug.includes('/') ? slug.slice(0, slug.lastIndexOf('/')) : '',
    link: pages,
    picture: pages,
    uploads: addressIn(visit, project),
    isWiki: true,
  };
}

/** Those of what belongs to no project begin at our root. */
export const ownLinking = (visit: Visit): Linking => ({
  folder: '',
  link: visit.url(''),
  picture: visit.url(''),
  uploads: null,
  isWiki: false,
});
