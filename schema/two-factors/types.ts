import { builder } from '../kernel/builder.ts';
import type { TwoFactorSetUpData } from './change.ts';

export interface TwoFactorState {
  readonly isEnabled: boolean;
  readonly recoveryCodesLeft: number;
}

export const TwoFactor = builder.objectRef<TwoFactorState>('TwoFactor').implement({
  description: 'The second factor of a user, without its secret. The user and administrators only.',
  fields: (t) => ({
    isEnabled: t.exposeBoolean('isEnabled', {
      description: 'Whether signing in requires a second factor.',
    }),
    recoveryCodesLeft: t.exposeInt('recoveryCodesLeft', {
      description: 'The number of unused recovery codes, at most 10.',
    }),
  }),
});

export const TwoFactorSetUp = builder.objectRef<TwoFactorSetUpData>('TwoFactorSetUp').implement({
  description: 'The secret for an authenticator app, which is shown only once.',
  extensions: { isPayload: true },
  fields: (t) => ({
    secret: t.exposeString('secret', { description: 'The secret in Base32, for typing.' }),
    uri: t.expose('uri', { type: 'URL', description: '`otpauth://totp/…`, for a QR code.' }),
  }),
});
