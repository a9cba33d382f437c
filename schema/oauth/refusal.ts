import { DomainError } from '../kernel/errors.ts';
import { type OauthErrorCode, oauthErrorTexts } from '../kernel/oauth-errors.ts';

/** A refusal in the words of OAuth; its reason is the error's code. */
export const oauthRefusal = (code: OauthErrorCode): DomainError =>
  new DomainError('INVALID', oauthErrorTexts[code], { reason: code });
