import type { ProjectPage, ProjectSection } from '../frame/sections.ts';
import { submitJob, submitPipeline } from './ci-actions.ts';
import { showEnvironments, submitEnvironments } from './environment-actions.ts';
import { showJob } from './job.ts';
import { showJobs } from './jobs.ts';
import { showLint, submitLint } from './lint.ts';
import { showPipelines } from './pipelines.ts';
import { showSchedules, submitSchedules } from './schedule-actions.ts';

const showJobOrList: ProjectPage = (visit, project, rest) =>
  rest === '' ? showJobs(visit, project) : showJob(visit, project, rest);

export const ciSections: readonly ProjectSection[] = [
  { word: 'pipelines', isLive: true, show: showPipelines, submit: submitPipeline },
  { word: 'jobs', isLive: true, show: showJobOrList, submit: submitJob },
  { word: 'ci', show: showLint, submit: submitLint },
  { word: 'pipeline_schedules', show: showSchedules, submit: submitSchedules },
  { word: 'environments', show: showEnvironments, submit: submitEnvironments },
];
