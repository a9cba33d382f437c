import { type Html, html, type Shown } from './html.ts';
import type { Visit } from './page.ts';

/** An error message above a form; nothing if `text` is null. */
export const alert = (text: string | null): Html | null =>
  text === null ? null : html`<p class="alert" role="alert">${text}</p>`;

export const notice = (text: Shown): Html => html`<p class="notice" role="status">${text}</p>`;

/** Plain text as paragraphs, split at empty lines. */
export const paragraphs = (text: string): Html =>
  html`${text
    .split(/\n\s*\n/)
    .filter((part) => part.trim() !== '')
    .map((part) => html`<p class="lines">${part.trim()}</p>`)}`;

interface Field {
  readonly name: string;
  /** Default: the name. */
  readonly id?: string;
  readonly label: string;
  readonly type?: 'text' | 'password' | 'email' | 'url' | 'date';
  readonly value?: string;
  /** For browsers and password managers. */
  readonly autocomplete?: string;
  readonly isRequired?: boolean;
  /** Shown below the field. */
  readonly hint?: string;
  /** The error of the field. */
  readonly fault?: string | null;
}

/** A form field with its label, hint and error. */
export function field(given: Field): Html {
  const {
    name,
    id = name,
    label,
    type = 'text',
    value = '',
    autocomplete,
    isRequired,
    hint,
    fault,
  } = given;
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  return html`<p class="field">
<label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" value="${value}"${
    autocomplete ? html` autocomplete="${autocomplete}"` : null
  }${isRequired ? html` required` : null}${
    described ? html` aria-describedby="${described}"` : null
  }${fault ? html` aria-invalid="true"` : null}>
${hint ? html`<span class="hint" id="${id}-hint">${hint}</span>` : null}
${fault ? html`<span class="fault" id="${id}-fault">${fault}</span>` : null}
</p>`;
}

/** A required password field. */
export const passwordField = (given: Omit<Field, 'type' | 'isRequired'>): Html =>
  field({ ...given, type: 'password', isRequired: true });

interface Action {
  /** The form's target, and the label of its button. */
  readonly address: string;
  readonly label: string;
  /** The object of the action, for screen readers. */
  readonly about?: string;
  readonly look?: 'danger' | 'plain';
  /** Hidden fields. */
  readonly fields?: Html;
}

/** A button in a form with an anti-forgery token. */
export const actionForm = (
  { formToken }: Visit,
  { address, label, about, look, fields }: Action,
): Html =>
  html`<form method="post" action="${address}">${formToken}${fields}<button${
    look && html` class="${look}"`
  }${about && html` aria-label="${label} ${about}"`}>${label}</button></form>`;
