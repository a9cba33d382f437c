import type { ProjectSection } from '../frame/sections.ts';
import { showProject } from './project.ts';

export const projectSections: readonly ProjectSection[] = [{ word: '', show: showProject }];
