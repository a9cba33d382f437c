import type { ProjectSection } from '../frame/sections.ts';
import { showWiki } from './wiki.ts';

export const wikiSections: readonly ProjectSection[] = [{ word: 'wikis', show: showWiki }];
