import { Access } from '../kernel/access.ts';

/** What the rules on a wiki look at besides the viewer's level in its project, which they see. */
export interface WikiTraits {
  readonly wikiEnabled: boolean;
  readonly isArchived: boolean;
}

/** Switched off, it is closed to everybody (v4-behaviour 2.3). */
export const canReadWiki = (_level: Access, { wikiEnabled }: WikiTraits): boolean => wikiEnabled;

export const canWriteWiki = (level: Access, { wikiEnabled, isArchived }: WikiTraits): boolean =>
  level >= Access.developer && wikiEnabled && !isArchived;

export const canDeleteWikiPages = (level: Access, wiki: WikiTraits): boolean =>
  level >= Access.master && canWriteWiki(level, wiki);
