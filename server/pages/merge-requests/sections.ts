import type { ProjectSection } from '../frame/sections.ts';
import { showMergeRequests } from './merge-requests.ts';

export const mergeRequestSections: readonly ProjectSection[] = [
  { word: 'merge_requests', show: showMergeRequests },
];
