import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { type Html, html } from '../kernel/html.ts';

export const labelMarkFields = graphql(`fragment LabelMarkFields on Label { name color }`);

export type MarkedLabel = ResultOf<typeof labelMarkFields>;

/** `#rrggbb`, as the core stores colours. */
const hex = /^#[0-9a-f]{6}$/i;

/**
 * A dot in the colour of a label. The content policy forbids style attributes, and the text beside
 * it stays readable on any colour.
 */
export const colourDot = (color: string): Html =>
  html`<svg class="dot" viewBox="0 0 8 8" aria-hidden="true" focusable="false"><circle cx="4" cy="4" r="4" fill="${hex.test(color) ? color : '#808080'}"/></svg>`;

/** A label with its colour; a link to the items with it if there is an address. */
export function labelMark({ name, color }: MarkedLabel, address: string | null = null): Html {
  const content = html`${colourDot(color)}${name}`;
  return address === null
    ? html`<span class="label">${content}</span>`
    : html`<a class="label" href="${address}">${content}</a>`;
}

/** The address of a list with the items of a label. */
export const labelledIn = (list: string, name: string): string =>
  `${list}?${new URLSearchParams([['label_name[]', name]])}`;
