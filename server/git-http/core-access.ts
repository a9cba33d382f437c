import type { Context } from '../../schema/kernel/context.ts';
import { admitPush } from '../../schema/repository/push.ts';
import { settlePush } from '../../schema/repository/settle.ts';
import { authorizeTransport } from '../../schema/repository/transport.ts';
import type { Credentials as Identities } from '../accounts/credentials.ts';
import type { Credentials, GitAccess } from './access.ts';

const denied = { outcome: 'unauthenticated', text: 'HTTP Basic: Access denied\n' } as const;

/** What git over HTTP asks, answered by the core. */
export const coreAccess = (parts: Omit<Context, 'viewer'>, identities: Identities): GitAccess => ({
  authorize: async ({ path, service, credentials }) => {
    const viewer = credentials ? await viewerOf(credentials, identities) : null;
    // wrong credentials are told so even where none are needed (v4-behaviour 4.3)
    if (credentials && !viewer) return denied;
    return authorizeTransport({ path, service }, { ...parts, viewer });
  },
  beforeReferencesMove: ({ projectId, userId, changes }) =>
    admitPush({ projectId, userId, changes }, parts),
  afterReferencesMoved: (ledger) => settlePush(ledger, parts),
});

/** A token in place of the password, whoever the name says; else a name or e-mail and its password. */
async function viewerOf({ username, password }: Credentials, identities: Identities) {
  if (password === '') return null;
  const credential = await identities.ofToken(password);
  if (credential?.scopes.includes('api')) return credential.viewer;
  return identities.ofPassword(username, password);
}
