/** Characters of a `User-Agent` header that are read; browsers send fewer. */
const longest = 512;

/** Browsers by the product that their header names; those first whose headers also name others. */
const browsers = [
  ['Edg/', 'Edge'],
  ['EdgA/', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Vivaldi/', 'Vivaldi'],
  ['FxiOS/', 'Firefox'],
  ['Firefox/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['HeadlessChrome/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Version/', 'Safari'],
] as const;

const systems = [
  ['Windows', 'Windows'],
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/**
 * A name for the browser with this `User-Agent` header, such as `Firefox 132 on Linux`; null if it is not
 * known. Only for users to recognize their own browsers: the header can say anything.
 */
export function browserName(header: string): string | null {
  const text = header.slice(0, longest);
  const browser = browsers.find(([product]) => text.includes(product));
  const system = systems.find(([word]) => text.includes(word));
  if (!browser) return null;
  const [product, name] = browser;
  const version = /^\d{1,4}/.exec(text.slice(text.indexOf(product) + product.length))?.[0];
  return [name, version, system && `on ${system[1]}`].filter((part) => part).join(' ');
}
