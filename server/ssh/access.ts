import type { Context } from '../../schema/kernel/context.ts';
import { findKeyHolder, recordKeyUse } from '../../schema/keys/holder.ts';
import { authorizeDeployKey } from '../../schema/repository/deploy-key-transport.ts';
import {
  authorizeTransport,
  type TransportAnswer,
  type TransportRequest,
} from '../../schema/repository/transport.ts';
import { authorizeWikiTransport, isWikiPath } from '../../schema/wikis/transport.ts';
import type { Credentials } from '../accounts/credentials.ts';
import type { Granted } from '../git-http/access.ts';
import { isSafeProjectPath } from '../git-http/project-path.ts';
import type { Identity } from './messages.ts';

export type SshAccessParts = Omit<Context, 'viewer'>;

const notFound = 'The project you were looking for could not be found.';

/** The client with a key; null if the key is unknown or expired, or its user is blocked. */
export async function identify(
  fingerprint: Buffer,
  parts: SshAccessParts,
  identities: Pick<Credentials, 'ofName'>,
): Promise<Identity | null> {
  const holder = await findKeyHolder(fingerprint, parts);
  if (!holder) return null;
  if (holder.userId === null) return { ...holder, name: 'deploy key' };
  const viewer = await identities.ofName(String(holder.userId));
  return viewer && { ...holder, name: `@${viewer.username}` };
}

/** A permitted fetch or push; `notice` says that the project has another path now. */
export interface SshGrant extends Omit<Granted, 'outcome'> {
  readonly deployKeyId?: number | undefined;
  /** The present path of the project or its wiki. */
  readonly fullPath: string;
  readonly notice: string | null;
}

/** Decides a fetch or push with the rules of git over HTTP; a former path leads to the project. */
export async function authorize(
  identity: Identity,
  { path, service }: Pick<TransportRequest, 'path' | 'service'>,
  parts: SshAccessParts,
  identities: Pick<Credentials, 'ofName'>,
): Promise<SshGrant | { readonly refusal: string }> {
  if (!isSafeProjectPath(path)) return { refusal: notFound };
  const { keyId, userId } = identity;
  const viewer = userId === null ? null : await identities.ofName(String(userId));
  if (userId !== null && !viewer) return { refusal: 'Your account is blocked.' };
  const decide = (place: string): Promise<TransportAnswer> => {
    const request = { path: place, service, protocol: 'ssh' } as const;
    if (isWikiPath(place)) return authorizeWikiTransport(request, { ...parts, viewer });
    return viewer
      ? authorizeTransport(request, { ...parts, viewer })
      : authorizeDeployKey(keyId, request, parts);
  };
  let place = path;
  let answer = await decide(path);
  const notice = answer.outcome === 'moved' ? answer.text : null;
  if (answer.outcome === 'moved') {
    place = answer.fullPath;
    answer = await decide(place);
  }
  // an anonymous user is asked for credentials, of which SSH has no others
  if (answer.outcome === 'unauthenticated' || answer.outcome === 'moved')
    return { refusal: notFound };
  if (answer.outcome !== 'granted') return { refusal: answer.text };
  await recordKeyUse(keyId, parts);
  const { outcome: _granted, ...granted } = answer;
  const deployKeyId = userId === null ? keyId : undefined;
  return { ...granted, deployKeyId, fullPath: place, isWiki: isWikiPath(place), notice };
}
