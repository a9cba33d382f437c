import { groups } from './groups.ts';
import { impersonationTokens } from './impersonation-tokens.ts';
import { members } from './members.ts';
import { namespaces } from './namespaces.ts';
import { projectShares } from './project-shares.ts';
import { projectStates } from './project-states.ts';
import { projects } from './projects.ts';
import { repository } from './repository.ts';
import { session } from './session.ts';
import { uploads } from './uploads.ts';
import { userActivities } from './user-activities.ts';
import { userEmails } from './user-emails.ts';
import { users } from './users.ts';
import { version } from './version.ts';

/** Every endpoint under `/api/v4`: the sections of the specification, then what it leaves open. */
export const routes = [
  ...groups,
  ...projects,
  ...projectStates,
  ...projectShares,
  ...uploads,
  ...repository,
  ...namespaces,
  ...session,
  ...users,
  ...impersonationTokens,
  ...userEmails,
  ...userActivities,
  ...members,
  ...version,
];
