import { DomainError } from '../kernel/errors.ts';
import { type OauthErrorCode, oauthErrorTexts } from '../kernel/oauth-errors.ts';

/** An OAuth error; its code is the error's reason. */
export const oauthRefusal = (code: OauthErrorCode): DomainError =>
  new DomainError('INVALID', oauthErrorTexts[code], { reason: code });
