import type { GroupSection } from '../frame/sections.ts';
import { showGroup } from './group.ts';

export const groupSections: readonly GroupSection[] = [{ word: '', show: showGroup }];
