import type { GroupSection } from '../frame/sections.ts';
import { showEditGroup, submitEditGroup } from './edit-group.ts';
import { showGroup } from './group.ts';

export const groupSections: readonly GroupSection[] = [
  { word: '', show: showGroup },
  { word: 'edit', show: showEditGroup, submit: submitEditGroup },
];
