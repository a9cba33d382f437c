import { expect, test } from 'vitest';
import { browserName } from '../../schema/sessions/browser-name.ts';

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
    'Firefox 132 on Linux',
  ],
  [`${windows} Chrome/131.0.0.0 Safari/537.36`, 'Chrome 131 on Windows'],
  [`${windows} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.2903.51`, 'Edge 131 on Windows'],
  [`${windows} Chrome/130.0.0.0 Safari/537.36 OPR/115.0.0.0`, 'Opera 115 on Windows'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    'Safari 18 on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1',
    'Chrome 131 on iOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; SM-S928B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36',
    'Samsung Internet 27 on Android',
  ],
  ['Firefox/', 'Firefox'],
  ['curl/8.5.0', null],
  ['', null],
])('%s is %s', (header, name) => {
  expect(browserName(header)).toBe(name);
});
