import { type Html, html, type Shown } from './html.ts';

/** Something that went wrong, told above a form; nothing when `text` is null. */
export const alert = (text: string | null): Html | null =>
  text === null ? null : html`<p class="alert" role="alert">${text}</p>`;

/** Something that went well. */
export const notice = (text: Shown): Html => html`<p class="notice" role="status">${text}</p>`;

/** Text that somebody wrote, an empty line between one paragraph and the next. */
export const paragraphs = (text: string): Html =>
  html`${text
    .split(/\n\s*\n/)
    .filter((part) => part.trim() !== '')
    .map((part) => html`<p class="lines">${part.trim()}</p>`)}`;

interface Field {
  readonly name: string;
  /** Where a page has several of this name. */
  readonly id?: string;
  readonly label: string;
  readonly type?: 'text' | 'password' | 'email' | 'url' | 'date';
  readonly value?: string;
  /** What browsers and password managers fill in. */
  readonly autocomplete?: string;
  readonly isRequired?: boolean;
  /** Said below it. */
  readonly hint?: string;
  /** What was wrong with it. */
  readonly fault?: string | null;
}

/** A field of a form with its label, its hint and what was wrong with it. */
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
