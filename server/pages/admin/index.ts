import type { Page } from '../kernel/page.ts';
import { settingsPages } from './application-settings.ts';
import { auditLogPages } from './audit-log.ts';
import { healthPages } from './health.ts';
import { hookPages } from './hooks.ts';
import { impersonationTokenPages } from './impersonation-tokens.ts';
import { jobPages } from './jobs.ts';
import { namespacePages } from './namespaces.ts';
import { overviewPages } from './overview.ts';
import { runnerPages } from './runners.ts';
import { userPages } from './user.ts';
import { userFormPages } from './user-form.ts';
import { usersPages } from './users.ts';

/** The admin area, fixed addresses before patterns. */
export const adminPages: readonly Page[] = [
  ...overviewPages,
  ...healthPages,
  ...usersPages,
  ...userFormPages,
  ...userPages,
  ...impersonationTokenPages,
  ...namespacePages,
  ...runnerPages,
  ...jobPages,
  ...auditLogPages,
  ...settingsPages,
  ...hookPages,
];
