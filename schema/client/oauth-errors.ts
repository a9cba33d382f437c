export { type OauthErrorCode, oauthErrorTexts } from '../kernel/oauth-errors.ts';
