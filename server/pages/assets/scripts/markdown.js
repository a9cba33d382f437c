// Adds to each text field in `data-markdown` a preview, and uploads of chosen, dropped and pasted
// files, also to fields that scripts add to the page. Both are requested with the form token of the
// field's own form.
{
  const enhanced = new WeakSet();

  const enhance = (field) => {
    if (enhanced.has(field)) return;
    enhanced.add(field);
    const area = field.querySelector('textarea');
    const token = field.closest('form')?.elements.authenticity_token?.value ?? '';

    const element = (name, traits, ...content) => {
      const made = Object.assign(document.createElement(name), traits);
      made.append(...content);
      return made;
    };
    const button = (textContent) =>
      element('button', { type: 'button', className: 'plain', textContent });

    const status = element('span', { className: 'quiet', role: 'status' });
    const shown = element('div', { className: 'preview', hidden: true, tabIndex: 0 });
    const write = button('Write');
    const preview = button('Preview');
    const input = element('input', { type: 'file', multiple: true, className: 'unseen' });
    const attach = element('label', { className: 'attach' }, 'Attach files', input);
    const bar = element('div', { className: 'writing row' }, write, preview, attach, status);

    const send = async (address, fields) => {
      const body = new FormData();
      body.set('authenticity_token', token);
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      const response = await fetch(address, {
        ...{ method: 'POST', body, headers: { Accept: 'text/html' }, redirect: 'manual' },
      }).catch(() => {
        throw new Error('The server could not be reached. Try again in a moment.');
      });
      if (response.type === 'opaqueredirect') {
        throw new Error('You are signed out. Copy your text, sign in, and try again.');
      }
      const text = await response.text();
      const { body: content } = new DOMParser().parseFromString(text, 'text/html');
      if (!response.ok)
        throw new Error(content.querySelector('main p')?.textContent ?? 'It failed.');
      return content;
    };

    const select = (isPreview) => {
      area.hidden = isPreview;
      shown.hidden = !isPreview;
      write.setAttribute('aria-pressed', String(!isPreview));
      preview.setAttribute('aria-pressed', String(isPreview));
    };

    const report = (error) => {
      status.textContent = error.message;
    };

    write.addEventListener('click', () => {
      select(false);
      area.focus();
    });
    let previews = 0;
    preview.addEventListener('click', async () => {
      select(true);
      shown.textContent = 'Loading …';
      previews += 1;
      const own = previews;
      const show = (...nodes) => {
        // an earlier preview may arrive later
        if (own === previews) shown.replaceChildren(...nodes);
      };
      try {
        const content = await send(field.dataset.preview, { text: area.value });
        show(...content.childNodes);
      } catch (error) {
        show(error.message);
      }
    });
    // browsers send no form with an invalid field that they cannot show
    area.addEventListener('invalid', () => select(false));

    const insert = (text) => {
      const { selectionStart: start, selectionEnd: end, value } = area;
      const before = start > 0 && value[start - 1] !== '\n' ? '\n' : '';
      area.setRangeText(`${before}${text}\n`, start, end, 'end');
      area.dispatchEvent(new Event('input', { bubbles: true }));
    };

    const upload = async (files) => {
      select(false);
      for (const file of files) {
        status.textContent = `Uploading ${file.name} …`;
        try {
          const content = await send(field.dataset.uploads, { file });
          insert(content.textContent);
          status.textContent = '';
        } catch (error) {
          report(error);
        }
      }
    };

    input.addEventListener('change', () => {
      upload([...input.files]);
      input.value = '';
    });
    area.addEventListener('paste', (event) => {
      const files = [...event.clipboardData.files];
      if (files.length === 0) return;
      event.preventDefault();
      upload(files);
    });
    area.addEventListener('dragover', (event) => {
      if ([...event.dataTransfer.types].includes('Files')) event.preventDefault();
    });
    area.addEventListener('drop', (event) => {
      const files = [...event.dataTransfer.files];
      if (files.length === 0) return;
      event.preventDefault();
      upload(files);
    });
    area.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      area.form.requestSubmit();
    });

    area.before(bar);
    area.after(shown);
    select(false);
  };

  const enhanceAll = () => {
    for (const field of document.querySelectorAll('[data-markdown]')) enhance(field);
  };

  enhanceAll();
  new MutationObserver(enhanceAll).observe(document.body, { childList: true, subtree: true });
}
