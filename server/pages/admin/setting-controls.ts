import type { FieldErrors } from '../../../schema/client/execute.ts';
import { faultText } from '../kernel/form-faults.ts';
import { checkbox, choiceGroup, field, select, textArea } from '../kernel/forms.ts';
import type { Html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { type SettingField, type SettingSection, visibilities } from './setting-fields.ts';

/** The texts in the controls of a section, by setting; several only for lists. */
export type SettingInput = Readonly<Record<string, readonly string[]>>;

const textsOf = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === 'boolean') return [value ? '1' : '0'];
  return value === null || value === undefined ? [] : [String(value)];
};

/** What the controls of a section show for the stored settings. */
export const storedInput = (section: SettingSection, stored: object): SettingInput =>
  Object.fromEntries(
    section.fields.map(({ name }) => [name, textsOf((stored as Record<string, unknown>)[name])]),
  );

/** What the submitted form has in the controls of a section. */
export const inputOf = (section: SettingSection, { form, formList }: Visit): SettingInput =>
  Object.fromEntries(
    section.fields.map(({ name, kind }) => {
      if (kind === 'visibilities') {
        const sent = formList(name);
        return [name, visibilities.map(([value]) => value).filter((value) => sent.includes(value))];
      }
      const text = form[name] ?? '';
      return [name, kind === 'lines' ? linesOf(text) : [text]];
    }),
  );

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The values for the core, and the errors of numbers that are none. */
export function valuesOf(section: SettingSection, input: SettingInput) {
  const values: Record<string, unknown> = {};
  const faults: Record<string, readonly string[]> = {};
  for (const { name, kind } of section.fields) {
    const texts = input[name] ?? [];
    const [text = ''] = texts;
    if (kind === 'flag') values[name] = text === '1';
    else if (kind === 'lines' || kind === 'visibilities') values[name] = texts;
    else if (kind === 'number' || kind === 'number choice') {
      if (/^-?\d{1,9}$/.test(text)) values[name] = Number(text);
      else faults[name] = ['is not a number'];
    } else if (kind === 'choice' && text !== '' && !isOption(section, name, text)) {
      faults[name] = ['is not included in the list'];
    } else values[name] = text === '' ? null : text;
  }
  return { values, faults };
}

const isOption = (section: SettingSection, name: string, text: string): boolean =>
  section.fields.some(
    (field) =>
      field.name === name && 'options' in field && field.options.some(([value]) => value === text),
  );

/** The control of a setting. */
export function settingControl(
  setting: SettingField,
  texts: readonly string[],
  faults: FieldErrors,
): Html {
  const { name, label, hint } = setting;
  const control = { name, label, ...(hint && { hint }), fault: faultText(faults, name, label) };
  const [value = ''] = texts;
  switch (setting.kind) {
    case 'flag':
      return checkbox({ ...control, isChecked: value === '1' });
    case 'number':
      return field({ ...control, type: 'number', value });
    case 'text':
      return field({ ...control, value });
    case 'markdown':
      return textArea({ ...control, value });
    case 'lines':
      return textArea({ ...control, value: texts.join('\n'), rows: 4 });
    case 'visibilities':
      return choiceGroup({
        ...control,
        name: `${name}[]`,
        type: 'checkbox',
        chosen: texts,
        options: visibilities.map(([option, text]) => ({ value: option, label: text })),
      });
    case 'choice':
    case 'number choice':
      return select({ ...control, value, options: setting.options });
  }
}
