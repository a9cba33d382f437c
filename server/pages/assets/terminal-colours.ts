/** Red, green and blue, each from 0 to 255. */
type Colour = readonly [number, number, number];

/** The background of traces, in light and dark mode; the same as in the stylesheet. */
const ground: Colour = [0x14, 0x18, 0x1c];
const white: Colour = [255, 255, 255];
const black: Colour = [0, 0, 0];

const enoughContrast = 4.6;

const named = [
  '000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5',
  '7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff',
]
  .join(' ')
  .split(' ')
  .map((text): Colour => {
    const value = Number.parseInt(text, 16);
    return [value >> 16, (value >> 8) & 255, value & 255];
  });

const levels = [0, 95, 135, 175, 215, 255] as const;

const cube = levels.flatMap((red) =>
  levels.flatMap((green) => levels.map((blue): Colour => [red, green, blue])),
);

const greys = Array.from({ length: 24 }, (_grey, place): Colour => {
  const value = 8 + 10 * place;
  return [value, value, value];
});

/** The 256 colours of terminals, as xterm has them. */
const palette: readonly Colour[] = [...named, ...cube, ...greys];

/** The number of the colour of a cube of 216 that is nearest to any. */
export function nearestColour(colour: Colour): number {
  const [red, green, blue] = colour.map((value) => {
    const distances = levels.map((level) => Math.abs(level - value));
    return distances.indexOf(Math.min(...distances));
  }) as [number, number, number];
  return named.length + 36 * red + 6 * green + blue;
}

function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: Colour, b: Colour): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** The colour, brightened until it can be read. */
function readable(colour: Colour): Colour {
  if (contrast(colour, ground) >= enoughContrast) return colour;
  const brighter = colour.map((value) => Math.min(255, value + Math.ceil((255 - value) / 16)));
  return readable(brighter as unknown as Colour);
}

const hexOf = (colour: Colour) =>
  `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;

const inkOn = (colour: Colour): Colour =>
  contrast(colour, white) > contrast(colour, black) ? white : black;

/**
 * CSS rules for `f0` to `f255`, text colours, and `b0` to `b255`, background colours. All
 * combinations are readable: dark text is brightened, and text on a background is black or white.
 */
export const terminalColours: string = [
  ...palette.map((colour, number) => `.trace .f${number}{color:${hexOf(readable(colour))}}`),
  ...palette.map(
    (colour, number) =>
      `.trace .b${number}{background:${hexOf(colour)};color:${hexOf(inkOn(colour))}}`,
  ),
].join('\n');
