import type { ProjectSection } from '../frame/sections.ts';
import { showDeleteFile, submitDeleteFile } from './delete.ts';
import { showEditFile, showNewFile, submitEditFile, submitNewFile } from './edit.ts';
import { showUploadFile, submitUploadFile } from './upload.ts';

export const fileSections: readonly ProjectSection[] = [
  { word: 'new', show: showNewFile, submit: submitNewFile },
  { word: 'edit', show: showEditFile, submit: submitEditFile },
  { word: 'upload', show: showUploadFile, submit: submitUploadFile },
  { word: 'delete', show: showDeleteFile, submit: submitDeleteFile },
];
