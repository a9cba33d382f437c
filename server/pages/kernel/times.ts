import { type Html, html } from './html.ts';

const inWords = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Seconds of each unit, the largest first. */
const units = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** `3 days ago`, `in 2 hours`, `just now`. */
export function ago(instant: Date, now: Date = new Date()): string {
  const seconds = (instant.getTime() - now.getTime()) / 1000;
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? [];
  return unit && length ? inWords.format(Math.trunc(seconds / length), unit) : 'just now';
}

/** A timestamp relative to now; its title is exact. */
export const when = (instant: string): Html =>
  html`<time datetime="${instant}" title="${exact(instant)}">${ago(new Date(instant))}</time>`;

/** A date without a time, or a timestamp of which only the day matters. */
export const day = (instant: string): Html =>
  html`<time datetime="${instant}">${instant.slice(0, 10)}</time>`;

/** A timestamp to the minute. */
export const moment = (instant: string): Html =>
  html`<time datetime="${instant}" title="${instant}">${exact(instant)}</time>`;

const exact = (instant: string): string =>
  `${instant.slice(0, 16).replace('T', '\u00a0')}\u00a0UTC`;

/** Whether a text is a date of the calendar, as a date field sends it. */
export function isDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return false;
  const instant = new Date(`${text}T00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}
