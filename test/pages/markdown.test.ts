import { describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../schema/markdown/render.ts';
import { renderColouredMarkdown } from '../../server/pages/markdown/coloured.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { world } from '../support/world.ts';

const linking = {
  folder: '',
  link: '/acme/app/blob/master',
  picture: '/acme/app/raw/master',
  uploads: '/acme/app',
  isWiki: false,
  project: '/acme/app',
  users: '',
};

const rendered = (text: string) => renderMarkdown({ texts: [text], linking })[0] ?? '';

/** The addresses of the links in a text. */
const linksOf = (text: string) =>
  [...rendered(text).matchAll(/<a href="([^"]*)"/g)].map(([, address]) => address);

describe('a reference', () => {
  test.each([
    ['#12', '/acme/app/issues/12'],
    ['(!3)', '/acme/app/merge_requests/3'],
    ['@ada.lovelace.', '/ada.lovelace'],
    ['by a1b2c3d4e5f6, too', '/acme/app/commit/a1b2c3d4e5f6'],
    ['[[Home page]]', '/acme/app/wikis/Home-page'],
    ['[[the rest|other/page]]', '/acme/app/wikis/other/page'],
    ['- item #4', '/acme/app/issues/4'],
    ['# Title of !5', '/acme/app/merge_requests/5'],
  ])('%s is a link', (text, address) => {
    expect(linksOf(text)).toEqual([address]);
  });

  test.each([
    '`#12`',
    'x#12',
    'a/b#12',
    '#12345678901',
    'ada@example',
    'deadbeef',
    '12345678',
    'a1b2c3',
    '[[../../etc]]',
    '```\n#12\n```',
  ])('%j is none', (text) => {
    expect(linksOf(text)).toEqual([]);
  });

  test('in a link does not nest another link', () => {
    expect(linksOf('[see #12](guide.md)')).toEqual(['/acme/app/blob/master/guide.md']);
  });
});

test('emoji codes become characters, unknown ones stay', () => {
  expect(rendered(':tada: :no_such_emoji:')).toBe('<p>🎉 :no_such_emoji:</p>\n');
});

describe('code', () => {
  const coloured = (text: string) => renderColouredMarkdown({ texts: [text], linking })[0] ?? '';

  test.each(['js', 'JavaScript', 'mjs title="a.js"'])(
    'in the language %s has colours',
    (language) => {
      expect(coloured(`~~~${language}\nconst a = '<b>';\n~~~`)).toBe(
        '<pre tabindex="0" class="code-text"><code>' +
          "<i class=k>const</i> a = <i class=s>'&lt;b&gt;'</i>;\n</code></pre>",
      );
    },
  );

  test.each(['', 'no-such-language', '"><b>', 'constructor'])(
    'in the language %j has none',
    (language) => {
      const text = `\`\`\`${language}\nconst a;\n\`\`\``;
      expect(coloured(text)).toBe('<pre tabindex="0"><code>const a;\n</code></pre>');
    },
  );

  test('has none beyond 32 KiB of a page', () => {
    const block = `~~~js\n${'const a;\n'.repeat(800)}~~~\n`;
    expect(coloured(block.repeat(5)).split('class="code-text"')).toHaveLength(5);
  });

  test.each([
    ['in a block of more than 8 KiB', 'js', 'const a;\n'.repeat(1_000)],
    ['with a line of more than 1,000 characters', 'js', `const a;\n${'-'.repeat(1_001)}`],
    ['that is nested deeper than the stack', 'bash', '${\n'.repeat(10_000)],
  ])('%s has none, and the text around it is rendered', (_where, language, code) => {
    const markup = coloured(`*a*\n\n~~~~${language}\n${code}\n~~~~\n`);
    expect(markup).toMatch(/^<p><em>a<\/em><\/p>\n<pre tabindex="0"><code>/);
  });
});

test('a task list shows which tasks are done', () => {
  expect(rendered('- [ ] open\n- [x] done')).toBe(
    '<ul>\n<li class="task">☐ open</li>\n<li class="task">☑ done</li>\n</ul>\n',
  );
});

test('footnotes of both kinds follow in the order of their numbers', () => {
  const markup = rendered('a[^x] b^[inline] c[^y]\n\n[^y]: last\n\n[^x]: first\n');
  expect(markup.match(/(?<=<p>)(?:first|inline|last)/g)).toEqual(['first', 'inline', 'last']);
  expect(rendered('^[a]'.repeat(600)).split('class="footnote-item"')).toHaveLength(601);
});

test('the ids of footnotes differ between texts', () => {
  const [one, other] = renderMarkdown({
    texts: ['a[^1]\n\n[^1]: The one', 'b[^1]\n\n[^1]: The other'],
    linking,
  });
  const idOf = (markup = '') => /<li id="([^"]+)"/.exec(markup)?.[1];
  expect(idOf(one)).toMatch(/^fn-/);
  expect(idOf(one)).not.toBe(idOf(other));
});

describe('HTML', () => {
  test.each([
    [
      '<img src="/docs/logo.png" alt="Logo" width="40%" onerror="x()">',
      '<p><img src="/acme/app/raw/master/docs/logo.png" alt="Logo" width="40%" loading="lazy"></p>\n',
    ],
    [
      'Press <kbd>Ctrl</kbd><br/>H<sub>2</sub>O',
      '<p>Press <kbd>Ctrl</kbd><br>H<sub>2</sub>O</p>\n',
    ],
    [
      '<p align="center">\n<a href="lib/x.md?a=1&amp;b=2">x</a>\n</p>',
      '<p align="center">\n<a href="/acme/app/blob/master/lib/x.md?a=1&amp;b=2">x</a>\n</p>',
    ],
    [
      '<details><summary>More</summary>\n\n- one\n\n</details>',
      '<details><summary>More</summary>\n<ul>\n<li>one</li>\n</ul>\n</details>',
    ],
    ['<h1 align=center>Title</h1>', '<h2 align="center">Title</h2>'],
    ['a<!-- hidden -->b\n\n<!--\nhidden\n\ntoo\n-->', '<p>ab</p>\n'],
    [
      '<picture><source srcset="x"><img src="a.png"></picture>',
      '<p><img src="/acme/app/raw/master/a.png" alt="" loading="lazy"></p>\n',
    ],
  ])('%j becomes markup', (text, markup) => {
    expect(rendered(text).trimEnd()).toBe(markup.trimEnd());
  });

  test.each([
    ['<b>x', '<p><b>x</b></p>\n'],
    ['</b></div></p>x', '<p>x</p>\n'],
    ['- <details>\n\nx</details>', '<ul>\n<li><details></details></li>\n</ul>\n<p>x</p>\n'],
    ['# <kbd>x\n\ny', '<h2 id="text-x"><kbd>x</kbd></h2>\n<p>y</p>\n'],
    ['x^[</div><details>]', null],
    ['x[^1]\n\n[^1]: </section><div>', null],
    ['<b><i>x</b></i>y', '<p><b><i>x</i></b>y</p>\n'],
  ])('%j closes what it opens and nothing else', (text, markup) => {
    const shown = rendered(text);
    if (markup !== null) expect(shown).toBe(markup);
    const open: string[] = [];
    for (const [, slash, name = ''] of shown.matchAll(/<(\/?)(\w+)[^>]*>/g)) {
      if (slash) expect(open.pop()).toBe(name);
      else if (!/^(?:br|hr|img)$/.test(name)) open.push(name);
    }
    expect(open).toEqual([]);
  });

  test.each([
    '<script>',
    '<iframe src=x>',
    '<style>',
    '</td><td>',
    '<form>',
    '<svg>',
    '<b',
    '<!--',
    '<img<b>',
  ])('%s stays text', (text) => {
    expect(rendered(`${text} x`).replace(/<\/?[bp]>/g, '')).not.toMatch(/[<>]/);
  });

  test.each([
    'javascript:x()',
    'JaVa\tscript:x()',
    'data:text/html,x',
    'vbscript:x',
    ' javascript:x()',
  ])('an address %j is not kept', (address) => {
    const targets = [
      ...rendered(`<a href="${address}">x</a> <img src="${address}">`).matchAll(
        /(?:href|src)="([^"]*)"/g,
      ),
    ];
    for (const [, target = ''] of targets) expect(target).toMatch(/^(?:\/acme\/app\/|$)/);
  });

  test('attributes that are not known are left out', () => {
    expect(rendered('<b id=x class="y" style="z" onclick=\'x()\' data-z>t</b>')).toBe(
      '<p><b>t</b></p>\n',
    );
  });
});

/** Texts that have made other renderers write markup of the author. */
const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[a](javascript:alert(1))',
  '[a](JaVa\tScript:alert(1))',
  '[a](data:text/html;base64,PHNjcmlwdD4=)',
  '![a](javascript:alert(1))',
  '![a"onerror="alert(1)](x)',
  '[a](x "t\\" onmouseover=\\"alert(1)")',
  '[[x" onclick="alert(1)]]',
  '[["><script>alert(1)</script>|x]]',
  '[[<b>|javascript:alert(1)]]',
  '@x"onclick="alert(1)',
  '[^"><script>]\n\n[^"><script>]: <script>alert(1)</script>',
  '^[<img src=x onerror=alert(1)>]',
  '- [x] <svg onload=alert(1)>',
  '| <b onclick=alert(1)> |\n|---|\n| <script> |',
  '# <script>alert(1)</script> #1',
  ':"><script>:',
  '<https://x/"onclick="alert(1)>',
  '```"><script>\n</code></pre><script>alert(1)</script>\n```',
  'https://example.com/"onmouseover="alert(1)',
  '[a]: javascript:alert(1)\n\n[a]',
];

describe('hostile text', async () => {
  const server = await world();
  const { id } = await server.seed.project('root/app', {}, { visibility: 'public' });
  await server
    .as(server.root)
    .put(`/projects/${id}`, { description: hostile.map((text) => `${text}\n\n`).join('') });
  const { anonymous } = await browser(server.url);

  test('adds no elements or attributes of its own', async () => {
    const page = await anonymous();
    await page.goto('/root/app');
    const found = await page
      .locator('main .prose')
      .evaluateAll((elements) =>
        elements.flatMap((element) =>
          [...element.querySelectorAll('*')].flatMap(({ tagName, attributes }) => [
            ...(/^(?:script|svg|iframe|object|style|form|input)$/i.test(tagName) ? [tagName] : []),
            ...[...attributes]
              .filter(
                ({ name, value }) =>
                  name.startsWith('on') ||
                  name === 'style' ||
                  /^\s*(?:javascript|data):/i.test(value),
              )
              .map(({ name }) => `${tagName} ${name}`),
          ]),
        ),
      );
    expect(await page.locator('main .prose').count()).toBeGreaterThan(0);
    expect(found).toEqual([]);
  });
});

describe('a text with tables, tasks and footnotes', async () => {
  const server = await world();
  const { id } = await server.seed.project('root/texts', {}, { visibility: 'public' });
  await server.as(server.root).put(`/projects/${id}`, {
    description:
      '```js\nconst a = 1; // one\n```\n\n- [ ] a\n- [x] b\n\nText[^1]\n\n[^1]: Note\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
  });
  const { anonymous } = await browser(server.url);

  test('is accessible', async () => {
    const page = await anonymous();
    await page.goto('/root/texts');
    expect(await page.getByRole('region', { name: 'Table' }).isVisible()).toBe(true);
    await expectAccessible(page);
  });
});
