import { percentDecoded } from '../../schema/kernel/percent-encoding.ts';
import { isSafeProjectPath } from './project-path.ts';

type GitAction = 'info/refs' | 'git-upload-pack' | 'git-receive-pack';

/** A parsed git URL; `path` is null when no project can have that path. */
export interface GitAddress {
  readonly path: string | null;
  readonly action: GitAction;
  readonly hasSuffix: boolean;
}

const addressWithSuffix = /^\/(.+)\.git\/(info\/refs|git-upload-pack|git-receive-pack)$/;
const handshakeWithoutSuffix = /^\/(.+)\/(info\/refs)$/;

/** Parses a request path, still percent-encoded; null when it is not a git path. */
export function readGitAddress(encoded: string): GitAddress | null {
  const match = addressWithSuffix.exec(encoded);
  const [, rawPath, action] = match ?? handshakeWithoutSuffix.exec(encoded) ?? [];
  if (rawPath === undefined || action === undefined) return null;
  const path = percentDecoded(rawPath);
  const isSafe = path !== null && isSafeProjectPath(path);
  return { path: isSafe ? path : null, action: action as GitAction, hasSuffix: match !== null };
}
