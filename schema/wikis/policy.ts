import { Access } from '../kernel/access.ts';

/** What the rules on a wiki look at besides the viewer's level in its project, which they see. */
export interface WikiTraits {
  readonly isWikiEnabled: boolean;
  readonly isArchived: boolean;
}

/** Switched off, it is closed to everybody (v4-behaviour 2.3). */
export const canReadWiki = (_level: Access, { isWikiEnabled }: WikiTraits): boolean =>
  isWikiEnabled;

export const canWriteWiki = (level: Access, { isWikiEnabled, isArchived }: WikiTraits): boolean =>
  level >= Access.developer && isWikiEnabled && !isArchived;

export const canDeleteWikiPages = (level: Access, wiki: WikiTraits): boolean =>
  level >= Access.master && canWriteWiki(level, wiki);
