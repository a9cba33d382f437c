// A menu closes when another opens, on a click or focus elsewhere, and with Escape, which returns the focus.
{
  const menus = () => document.querySelectorAll('details.menu[open]');

  document.addEventListener('click', ({ target }) => {
    for (const menu of menus()) if (!menu.contains(target)) menu.open = false;
  });
  // an open menu would cover what has the focus; a click within a menu may focus what surrounds it
  document.addEventListener('focusin', ({ target }) => {
    for (const menu of menus()) {
      if (!menu.contains(target) && !target.contains(menu)) menu.open = false;
    }
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    for (const menu of menus()) {
      menu.open = false;
      menu.querySelector('summary').focus();
    }
  });
}

// In a narrow window the current tab may be beyond the edge of its row.
for (const tab of document.querySelectorAll(':is(.tabs, .subtabs) [aria-current]')) {
  const row = tab.closest('ul');
  row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
}
