import type { ProjectSection } from '../frame/sections.ts';
import { showMergeRequests, submitMergeRequests } from './merge-requests.ts';

export const mergeRequestSections: readonly ProjectSection[] = [
  { word: 'merge_requests', show: showMergeRequests, submit: submitMergeRequests },
];
