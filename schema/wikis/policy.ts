import { Access } from '../kernel/access.ts';

/** The columns of a wiki's project that policies read; the viewer sees the project. */
export interface WikiTraits {
  readonly wikiEnabled: boolean;
  readonly isArchived: boolean;
}

/** A disabled wiki is closed to all users (v4-behaviour 2.3). */
export const canReadWiki = (_level: Access, { wikiEnabled }: WikiTraits): boolean => wikiEnabled;

export const canWriteWiki = (level: Access, { wikiEnabled, isArchived }: WikiTraits): boolean =>
  level >= Access.developer && wikiEnabled && !isArchived;

export const canDeleteWikiPages = (level: Access, wiki: WikiTraits): boolean =>
  level >= Access.master && canWriteWiki(level, wiki);
