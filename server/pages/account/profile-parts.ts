import { type Html, html, type Shown } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';

/** The breadcrumb of the pages below the profile. */
export const backToProfile = ({ url }: Pick<Visit, 'url'>, between: Shown = null): Html => html`
<nav aria-label="Breadcrumb" class="quiet"><a href="${url('/profile')}">Profile</a>${
  between && html` / ${between}`
}</nav>`;
