// Tables of a page or less, with a row per entry.
import { h, fill, button } from '../lib/dom.js'

/** `columns` are `[title, cell(row), class]`; `none` is said where there are no rows. */
export function table(columns, rows, { none = 'Nothing here.', onRow } = {}) {
  if (!rows.length) return h('p', { class: 'none' }, none)
  return h('div', { class: 'scroll', tabindex: 0 }, h('table', {},
    h('thead', {}, h('tr', {}, columns.map(([title, , kind]) => h('th', { scope: 'col', class: kind }, title)))),
    h('tbody', {}, rows.map((row) => h('tr', {
      class: onRow ? 'link' : false, tabindex: onRow ? 0 : false,
      onclick: (event) => onRow && !event.target.closest('button, a') && onRow(row),
      onkeydown: (event) => onRow && event.key === 'Enter' && event.target === event.currentTarget && onRow(row),
    }, columns.map(([, cell, kind]) => h('td', { class: kind }, cell(row))))))))
}

/**
 * Pages of a list that the server gives from a mark on.
 *
 * `load(after)` gives `{ rows, next }` and `draw(rows)` shows them; the marks of the pages before are kept here.
 */
export function pages(place, load, draw) {
  let marks = [undefined]
  const show = async () => {
    const { rows, next } = await load(marks.at(-1))
    const move = (change) => async () => { change(); await show() }
    fill(place, draw(rows), (marks.length > 1 || next) && h('nav', { class: 'pager', 'aria-label': 'Pages' },
      button('‹ Back', move(() => marks.pop()), marks.length === 1 ? { disabled: true } : {}), h('span', {}, `Page ${marks.length}`),
      button('Next ›', move(() => marks.push(next)), next ? {} : { disabled: true })))
  }
  return {
    /** From the first page. */
    first: () => { marks = [undefined]; return show() },
    /** The present page anew. */
    again: show,
  }
}
