import type { FieldErrors } from '../../../schema/client/execute.ts';
import { faultText } from './form-faults.ts';
import { type Html, html, type Shown } from './html.ts';
import type { Visit } from './page.ts';

interface Control {
  readonly name: string;
  /** Default: the name. */
  readonly id?: string;
  readonly label: string;
  readonly isRequired?: boolean;
  /** Shown below the control. */
  readonly hint?: Shown;
  /** The error of the control. */
  readonly fault?: string | null;
}

interface Field extends Control {
  readonly type?: 'text' | 'password' | 'email' | 'url' | 'date' | 'number' | 'color' | 'search';
  readonly value?: string;
  /** For browsers and password managers. */
  readonly autocomplete?: string;
  readonly placeholder?: string;
  /** The id of a `datalist` with suggestions. */
  readonly list?: string;
}

/** The attributes that all controls have. */
function attributesOf({ name, id = name, isRequired, hint, fault }: Control): Html {
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  return html`id="${id}" name="${name}"${isRequired && html` required`}${
    described !== '' && html` aria-describedby="${described}"`
  }${fault && html` aria-invalid="true"`}`;
}

/** The hint and the error of a control. */
const notesOf = ({ name, id = name, hint, fault }: Control): Html =>
  html`${hint && html`<span class="hint" id="${id}-hint">${hint}</span>`}${
    fault && html`<span class="fault" id="${id}-fault">${fault}</span>`
  }`;

/** A control below its label. */
const labelled = (given: Control, control: Html): Html => html`<p class="field">
<label for="${given.id ?? given.name}">${given.label}</label>
${control}
${notesOf(given)}
</p>`;

/** A form field with its label, hint and error. */
export function field(given: Field): Html {
  const { type = 'text', value = '', autocomplete, placeholder, list } = given;
  return labelled(
    given,
    html`<input ${attributesOf(given)} type="${type}" value="${value}"${
      autocomplete && html` autocomplete="${autocomplete}"`
    }${placeholder && html` placeholder="${placeholder}"`}${list && html` list="${list}"`}>`,
  );
}

/** A required password field. */
export const passwordField = (given: Omit<Field, 'type' | 'isRequired'>): Html =>
  field({ ...given, type: 'password', isRequired: true });

interface TextArea extends Control {
  readonly value?: string;
  readonly rows?: number;
  /** Shown in the font of code. */
  readonly isCode?: boolean;
}

/** A field of several lines. The newline after the tag is not part of the value. */
export const textArea = (given: TextArea): Html =>
  labelled(
    given,
    html`<textarea ${attributesOf(given)} rows="${given.rows ?? 6}"${
      given.isCode && html` class="code" spellcheck="false"`
    }>
${given.value ?? ''}</textarea>`,
  );

interface MarkdownField extends TextArea {
  /** The project whose links and uploads the text uses; without it there is no preview. */
  readonly projectAddress?: string;
}

/** A field for Markdown. A script adds a preview, and uploads of dropped and pasted files. */
export const markdownField = (given: MarkdownField): Html => {
  const { projectAddress } = given;
  const area = textArea({ hint: 'Markdown is supported.', ...given });
  return projectAddress === undefined
    ? area
    : html`<div data-markdown data-preview="${projectAddress}/preview_markdown" data-uploads="${projectAddress}/uploads">${area}</div>`;
};

/** A value, and the text that stands for it. */
export type Option = readonly [value: string, label: string];

interface Select extends Control {
  readonly value?: string;
  readonly options: readonly Option[];
}

/** A list to choose one value from. */
export const select = (given: Select): Html =>
  labelled(
    given,
    html`<select ${attributesOf(given)}>${given.options.map(
      ([value, label]) =>
        html`<option value="${value}"${value === (given.value ?? '') && html` selected`}>${label}</option>`,
    )}</select>`,
  );

interface Checkbox extends Control {
  readonly isChecked: boolean;
}

/** A checkbox before its label; the form has `1` if it is checked, and `0` otherwise. */
export const checkbox = (given: Checkbox): Html => html`<p class="choice">
<input type="hidden" name="${given.name}" value="0">
<label><input type="checkbox" ${attributesOf(given)} value="1"${given.isChecked && html` checked`}> ${given.label}</label>
${notesOf(given)}
</p>`;

interface Choice {
  readonly value: string;
  readonly label: Shown;
  readonly hint?: Shown;
}

interface Choices extends Omit<Control, 'id' | 'isRequired'> {
  readonly type?: 'radio' | 'checkbox';
  readonly chosen: readonly string[];
  readonly options: readonly Choice[];
}

/** A group of options: one of them, or with checkboxes any number. */
export const choiceGroup = ({
  name,
  label,
  type = 'radio',
  chosen,
  options,
  hint,
  fault,
}: Choices): Html => html`<fieldset>
<legend>${label}</legend>
${hint && html`<p class="hint">${hint}</p>`}
${options.map(
  (option) =>
    html`<p class="choice"><label><input type="${type}" name="${name}" value="${option.value}"${
      chosen.includes(option.value) && html` checked`
    }> ${option.label}</label>${option.hint && html`<span class="hint">${option.hint}</span>`}</p>`,
)}
${fault && html`<p class="fault">${fault}</p>`}
</fieldset>`;

interface FileField extends Control {
  /** Media types, such as `image/*`. */
  readonly accept?: string;
}

/** A field for a file; its form needs `isMultipart`. */
export const fileField = (given: FileField): Html =>
  labelled(
    given,
    html`<input ${attributesOf(given)} type="file"${given.accept && html` accept="${given.accept}"`}>`,
  );

interface Form {
  /** Where the form is sent. */
  readonly address: string;
  /** The label of the button. */
  readonly submit: string;
  /** The address of a link beside the button. */
  readonly cancel?: string;
  readonly look?: 'danger';
  readonly isMultipart?: boolean;
  readonly className?: string;
}

/** A form with an anti-forgery token, its controls, and its button. */
export const formOf = ({ formToken }: Visit, form: Form, controls: Shown): Html =>
  html`<form method="post" action="${form.address}" class="${form.className ?? 'stacked'}"${
    form.isMultipart && html` enctype="multipart/form-data"`
  }>${formToken}
${controls}
<p class="row"><button${form.look && html` class="${form.look}"`}>${form.submit}</button>${
    form.cancel && html` <a href="${form.cancel}">Cancel</a>`
  }</p>
</form>`;

/** The errors of fields that the form does not show itself, so that none is lost. */
export function otherFaults(faults: FieldErrors, shown: readonly string[]): string | null {
  const texts = Object.keys(faults).flatMap((name) => {
    if (shown.includes(name)) return [];
    return faultText(faults, name, name === 'base' ? '' : nameOf(name)) ?? [];
  });
  return texts.length === 0 ? null : texts.join(' ').trim();
}

/** `source_branch` → `Source branch`. */
function nameOf(field: string): string {
  const words = field.replaceAll('_', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
