import type { ProjectSection } from '../frame/sections.ts';
import { showCompare } from './compare.ts';

export const compareSections: readonly ProjectSection[] = [{ word: 'compare', show: showCompare }];
