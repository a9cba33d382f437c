import { pagesInMenu } from './menu-of-pages.ts';

/** A page of the admin area. */
export const adminPage = pagesInMenu('Admin area', [
  ['/admin', 'Overview'],
  ['/admin/users', 'Users'],
  ['/admin/groups', 'Groups'],
  ['/admin/projects', 'Projects'],
  ['/admin/runners', 'Runners'],
  ['/admin/jobs', 'Background jobs'],
  ['/admin/application_settings', 'Settings'],
  ['/admin/hooks', 'System hooks'],
  ['/admin/audit_log', 'Audit log'],
  ['/admin/health', 'Health'],
]);
