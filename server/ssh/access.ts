import type { Context } from '../../schema/kernel/context.ts';
import { findKeyHolder, recordKeyUse } from '../../schema/keys/holder.ts';
import { authorizeDeployKey } from '../../schema/repository/deploy-key-transport.ts';
import {
  authorizeTransport,
  type TransportAnswer,
  type TransportRequest,
} from '../../schema/repository/transport.ts';
import {
  authorizeWikiTransport,
  isTransferPermitted,
  isWikiPath,
} from '../../schema/wikis/transport.ts';
import { holderOfSource, type SourceHolder } from '../accounts/credential-sources.ts';
import type { Credentials } from '../accounts/credentials.ts';
import type { Permission } from '../accounts/open-sessions.ts';
import type { Granted } from '../git-http/access.ts';
import { isSafeProjectPath } from '../git-http/project-path.ts';
import { type Caller, callerOf, deployKeyCaller } from '../scheduling/caller.ts';
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
  const { keyId, userId } = holder;
  if (userId === null) return { keyId, userId, name: 'deploy key' };
  const viewer = await identities.ofName(String(userId));
  return viewer && { keyId, userId, name: `@${viewer.username}` };
}

/** The holder of the key of a connection; null if the key was deleted, has expired, or its user is blocked. */
export async function holderOfConnection(
  { keyId, userId }: Identity,
  parts: SshAccessParts,
  identities: Pick<Credentials, 'ofName'>,
): Promise<SourceHolder | null> {
  const holder = await holderOfSource({ keyId }, parts, identities);
  return holder && (holder.viewer?.id ?? null) === userId ? holder : null;
}

/** For whom the work of a command is done. */
export async function callerOfConnection(
  { keyId, userId }: Identity,
  address: string,
  identities: Pick<Credentials, 'ofName'>,
): Promise<Caller> {
  if (userId === null) return deployKeyCaller(keyId, address);
  return callerOf(await identities.ofName(String(userId)), address);
}

/** A permitted fetch or push; `notice` says that the project has another path now. */
export interface SshGrant extends Omit<Granted, 'outcome' | 'right'> {
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
  // the connection may have been open for days
  const holder = await holderOfConnection(identity, parts, identities);
  if (!holder) return { refusal: 'Your SSH key is no longer valid, or your account is blocked.' };
  const { viewer } = holder;
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

/** The permission of a running fetch or push, as it is now; null if it has ended. */
export async function permissionOf(
  identity: Identity,
  { projectId, isWiki, deployKeyId }: Pick<SshGrant, 'projectId' | 'isWiki' | 'deployKeyId'>,
  service: TransportRequest['service'],
  { parts, identities }: { parts: SshAccessParts; identities: Pick<Credentials, 'ofName'> },
): Promise<Permission | null> {
  const holder = await holderOfConnection(identity, parts, identities);
  if (!holder) return null;
  const transfer = { projectId, isWiki, deployKeyId, service, protocol: 'ssh' } as const;
  return (await isTransferPermitted(transfer, { ...parts, viewer: holder.viewer })) ? holder : null;
}
