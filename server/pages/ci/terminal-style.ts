import { nearestColour } from '../assets/terminal-colours.ts';

/** The current text style; colours are numbers from 0 to 255, null for the default. */
export interface TerminalStyle {
  readonly text: number | null;
  readonly ground: number | null;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
  readonly isStruck: boolean;
  readonly isInverse: boolean;
  readonly isHidden: boolean;
}

export const usual: TerminalStyle = {
  text: null,
  ground: null,
  isBold: false,
  isItalic: false,
  isUnderlined: false,
  isStruck: false,
  isInverse: false,
  isHidden: false,
};

const switches = new Map<number, Partial<TerminalStyle>>([
  [0, usual],
  [1, { isBold: true }],
  [3, { isItalic: true }],
  [4, { isUnderlined: true }],
  [7, { isInverse: true }],
  [8, { isHidden: true }],
  [9, { isStruck: true }],
  [21, { isUnderlined: true }],
  [22, { isBold: false }],
  [23, { isItalic: false }],
  [24, { isUnderlined: false }],
  [27, { isInverse: false }],
  [28, { isHidden: false }],
  [29, { isStruck: false }],
  [39, { text: null }],
  [49, { ground: null }],
]);

/** The first code of each group of eight colours: text, background, and their bright variants. */
const rows: readonly (readonly [number, 'text' | 'ground', number])[] = [
  [30, 'text', 0],
  [40, 'ground', 0],
  [90, 'text', 8],
  [100, 'ground', 8],
];

/** Applies `ESC [ … m` to a style; unknown codes are ignored. */
export function restyled(style: TerminalStyle, parameters: string): TerminalStyle {
  const codes = parameters.split(';').map((code) => (/^\d{0,3}$/.test(code) ? Number(code) : -1));
  let changed = style;
  for (let place = 0; place < codes.length; place += 1) {
    const code = codes[place] ?? -1;
    if (code === 38 || code === 48) {
      const [colour, taken] = longColour(codes.slice(place + 1, place + 5));
      if (colour !== null) changed = { ...changed, [code === 38 ? 'text' : 'ground']: colour };
      place += taken;
    } else {
      changed = { ...changed, ...(switches.get(code) ?? rowColour(code)) };
    }
  }
  return changed;
}

function rowColour(code: number): Partial<TerminalStyle> {
  const row = rows.find(([first]) => code >= first && code < first + 8);
  return row ? { [row[1]]: code - row[0] + row[2] } : {};
}

/** A colour as `5;n` or `2;r;g;b`, and the number of codes read. */
function longColour([kind, ...parts]: readonly number[]): readonly [number | null, number] {
  const isColour = (value: number | undefined): value is number =>
    value !== undefined && value >= 0 && value <= 255;
  const [red, green, blue] = parts;
  if (kind === 5) return [isColour(red) ? red : null, 2];
  if (kind !== 2) return [null, 1];
  const isWhole = isColour(red) && isColour(green) && isColour(blue);
  return [isWhole ? nearestColour([red, green, blue]) : null, 4];
}

/** The CSS classes of a style; '' for the default. */
export function classesOf(style: TerminalStyle): string {
  const { isBold, isItalic, isUnderlined, isStruck, isInverse } = style;
  const [text, ground] = isInverse ? [style.ground, style.text] : [style.text, style.ground];
  return [
    isBold && 'bold',
    isItalic && 'italic',
    isUnderlined && 'underlined',
    isStruck && 'struck',
    isInverse && ground === null && 'inverse',
    // a background class sets its own readable text colour
    ground === null ? text !== null && !isInverse && `f${text}` : `b${ground}`,
  ]
    .filter(Boolean)
    .join(' ');
}
