import { builder } from './kernel/builder.ts';
import './commits/types.ts';
import './groups/members-count.ts';
import './groups/mutations.ts';
import './groups/queries.ts';
import './namespaces/queries.ts';
import './namespaces/types.ts';
import './projects/group-projects.ts';
import './projects/group-statistics.ts';
import './projects/members.ts';
import './projects/mutations.ts';
import './projects/personal.ts';
import './projects/queries.ts';
import './projects/share-mutations.ts';
import './projects/state-mutations.ts';
import './projects/upload-mutations.ts';
import './projects/users.ts';
import './repository/mutations.ts';
import './repository/queries.ts';
import './sessions/mutations.ts';
import './settings/queries.ts';
import './users/emails.ts';
import './tokens/mutations.ts';
import './tokens/queries.ts';
import './users/mutations.ts';
import './users/queries.ts';

/** The core: every type, query and mutation of the product. */
export const schema = builder.toSchema();
