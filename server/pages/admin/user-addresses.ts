import { graphql } from '../../../schema/client/graphql.ts';
import { numberIn } from '../kernel/addresses.ts';
import { type Html, html } from '../kernel/html.ts';
import { badges, entries } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { actionForm } from '../kernel/parts.ts';

const VerifyPrimary = graphql(`
  mutation AdminVerifyPrimaryEmail($id: Int!) {
    updateUser(id: $id, user: { isEmailVerified: true }) { id }
  }
`);

const VerifyFurther = graphql(`
  mutation AdminVerifyEmail($userId: Int!, $id: Int!) { verifyEmail(userId: $userId, id: $id) { id } }
`);

interface Addresses {
  readonly email: string | null;
  readonly isEmailVerified: boolean | null;
  readonly emails: {
    readonly nodes: readonly {
      readonly id: number;
      readonly email: string;
      readonly isVerified: boolean;
    }[];
  } | null;
}

/** The e-mail addresses of a user whose page is at `root`; those not verified have a button. */
export function userAddresses(visit: Visit, root: string, user: Addresses): Html {
  const entry = (email: string | null, isVerified: boolean, address: string, isPrimary = false) =>
    html`<div class="bar"><span>${email}${badges([isPrimary && 'primary', isVerified ? 'verified' : 'not verified'])}</span>${
      !isVerified && actionForm(visit, { address, label: 'Verify', about: email ?? '' })
    }</div>`;
  const further = user.emails?.nodes ?? [];
  return html`<h2>E-mail addresses</h2>
<p>Verify an address only if you know that it belongs to the user: commits, imports and new members are
assigned to users by their verified addresses.</p>
${entries(
  [
    entry(user.email, user.isEmailVerified === true, `${root}/verify_email`, true),
    ...further.map(({ id, email, isVerified }) =>
      entry(email, isVerified, `${root}/emails/${id}/verify`),
    ),
  ],
  '',
)}`;
}

export const verifyPrimary = (visit: Visit, id: number) => visit.ask(VerifyPrimary, { id });

export const verifyFurther = (visit: Visit, userId: number) =>
  visit.ask(VerifyFurther, { userId, id: numberIn(visit.params.email_id ?? '') });
