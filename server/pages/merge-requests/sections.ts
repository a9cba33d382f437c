import type { ProjectSection } from '../frame/sections.ts';
import { showMergeRequests, submitToMergeRequests } from './merge-requests.ts';

export const mergeRequestSections: readonly ProjectSection[] = [
  { word: 'merge_requests', show: showMergeRequests, submit: submitToMergeRequests },
];
