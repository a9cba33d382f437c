import type { ProjectSection } from '../frame/sections.ts';
import { submitJob, submitPipeline } from './ci-actions.ts';
import { showJob } from './job.ts';
import { showPipelines } from './pipelines.ts';

export const ciSections: readonly ProjectSection[] = [
  { word: 'pipelines', show: showPipelines, submit: submitPipeline },
  { word: 'jobs', show: showJob, submit: submitJob },
];
