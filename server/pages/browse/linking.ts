import type { Visit } from '../page.ts';
import { encoded } from './addresses.ts';
import { type Linking, resolvePath } from './markdown.ts';
import { addressIn, type Project } from './project-head.ts';

/** Leads nowhere. */
const nowhere = '#';

/** Relative addresses in a file of the repository lead to other files of the same commit. */
export function fileLinking(
  visit: Visit,
  project: Project,
  { ref, folder }: { readonly ref: string; readonly folder: string },
): Linking {
  const to = (word: 'blob' | 'raw') => (path: string) => {
    const target = resolvePath(folder, path);
    return target === null ? nowhere : addressIn(visit, project, word, ref, target);
  };
  return { link: to('blob'), picture: to('raw') };
}

/** Those in what people say lead to what they uploaded, and to files of the default branch. */
export function textLinking(visit: Visit, project: Project): Linking {
  const ref = project.defaultBranch ?? 'HEAD';
  const files = fileLinking(visit, project, { ref, folder: '' });
  const uploaded = (path: string) =>
    /^\/?uploads\/(?!\.\.?(?:\/|$))[^/]+\/(?!\.\.?$)[^/]+$/.test(path)
      ? addressIn(visit, project, path.replace(/^\//, ''))
      : null;
  return {
    link: (path) => uploaded(path) ?? files.link(path),
    picture: (path) => uploaded(path) ?? files.picture(path),
  };
}

/** Those in a page of a wiki lead to other pages. */
export function wikiLinking(visit: Visit, project: Project, slug: string): Linking {
  const folder = slug.includes('/') ? slug.slice(0, slug.lastIndexOf('/')) : '';
  const texts = textLinking(visit, project);
  const to = (path: string) => {
    const target = resolvePath(folder, path);
    return target === null ? nowhere : addressIn(visit, project, 'wikis', target || 'home');
  };
  const isUpload = (path: string) => /^\/?uploads\//.test(path);
  return {
    link: (path) =>
      isUpload(path) ? texts.link(path) : to(path.replace(/\.(?:md|markdown)$/, '')),
    picture: (path) => (isUpload(path) ? texts.picture(path) : to(path)),
  };
}

/** Those of what belongs to nobody's repository begin at our root. */
export const ownLinking = (visit: Visit): Linking => {
  const to = (path: string) => visit.url(`/${encoded(resolvePath('', path) ?? '')}`);
  return { link: to, picture: to };
};
