// A grid over any number of rows: only those in view are elements, pages of rows are fetched when they come into view.
import { h, fill, later, report } from '../lib/dom.js'

const rowHeight = 28
/** Browsers lay out elements up to some 30 million pixels high; beyond this height scrolling is scaled. */
const tallest = 12_000_000
const keptPages = 40
/** The most rows that are elements, however high the grid is. */
const mostRows = 200

/**
 * The grid as an element with methods.
 *
 * By keys the arrows move, Enter opens, Space sorts by the column, Shift and Enter follow a link in it, + and - change its width.
 *
 * `columns` are `{ name, title, detail, width, render(row) }`; `fetch(skip, take)` gives rows, a page at a time; `onOpen(row, index)` is called for
 * Enter and double click, `onSort(column)` for a click on a heading, `onSelect(row, index)` when the row with the focus changes,
 * `onRest(first, end)` when the rows from `first` to before `end` have stood in view for a moment.
 */
export function grid({ label, columns, fetch, onOpen, onSort, onSelect, onRest, pageSize = 100 }) {
  let total = 0
  let pages = new Map()
  /** The rows before a change, which are shown until the new ones come. */
  let former = new Map()
  let generation = 0
  let current = 0
  let column = 0
  let sorted = null
  let marked = new Set()

  const rest = later(80, () => onRest(firstRow(), Math.min(total, firstRow() + visibleRows() + 2)))

  const header = h('div', { class: 'row head', role: 'row', 'aria-rowindex': 1 })
  const rows = h('div', { class: 'rows', role: 'rowgroup' })
  const space = h('div', { class: 'space' }, rows)
  const element = h('div', {
    class: 'grid', role: 'grid', tabindex: 0, 'aria-label': label, 'aria-colcount': columns.length, onscroll: draw, onkeydown: press,
  }, header, space)
  new ResizeObserver(draw).observe(element)

  function heading(column, index) {
    const mark = sorted?.name === column.name ? (sorted.descending ? ' ▾' : ' ▴') : ''
    const cell = h('div', {
      class: 'cell', role: 'columnheader', title: column.detail ?? '', 'aria-colindex': index + 1,
      'aria-sort': mark ? (sorted.descending ? 'descending' : 'ascending') : false,
    })
    const name = onSort && column.sorts !== false
      ? h('button', { type: 'button', class: 'plain', tabindex: -1, onclick: () => onSort(column) }, column.title + mark)
      : h('span', {}, column.title)
    const handle = h('span', { class: 'handle', onpointerdown: (event) => resize(event, column) })
    cell.append(name, handle)
    cell.style.width = `${column.width}px`
    return cell
  }

  function resize(event, column) {
    event.preventDefault()
    const [from, width] = [event.clientX, column.width]
    const move = ({ clientX }) => {
      column.width = Math.max(40, width + clientX - from)
      show()
    }
    addEventListener('pointermove', move)
    addEventListener('pointerup', () => removeEventListener('pointermove', move), { once: true })
  }

  const height = () => Math.min(total * rowHeight, tallest)
  const visibleRows = () => Math.max(1, Math.min(mostRows, Math.floor((element.clientHeight - rowHeight) / rowHeight)))

  /** The first row in view: proportional to the scroll position, exact where nothing is scaled. */
  function firstRow() {
    const most = Math.max(1, height() - (element.clientHeight - rowHeight))
    return Math.round(Math.min(1, element.scrollTop / most) * Math.max(0, total - visibleRows()))
  }

  function need(page) {
    if (pages.has(page)) return
    const mine = generation
    pages.set(page, null)
    Promise.resolve(fetch(page * pageSize, pageSize)).then((found) => {
      if (mine !== generation) return
      pages.set(page, found)
      former.delete(page)
      const oldest = pages.keys().next().value
      if (pages.size > keptPages && oldest !== page) pages.delete(oldest)
      draw()
    }, (error) => {
      if (mine === generation) pages.delete(page)
      report(error)
    })
  }

  const row = (index) => (pages.get(Math.floor(index / pageSize)) ?? former.get(Math.floor(index / pageSize)))?.[index % pageSize]

  function draw() {
    const first = firstRow()
    const last = Math.min(total, first + visibleRows() + 2)
    for (let page = Math.floor(first / pageSize); page * pageSize < last; page += 1) need(page)
    const lines = []
    for (let index = first; index < last; index += 1) lines.push(line(index))
    rows.style.transform = `translateY(${element.scrollTop}px)`
    fill(rows, lines)
    if (onRest) rest()
    if (current >= first && current < last) element.setAttribute('aria-activedescendant', 'current-cell')
    else element.removeAttribute('aria-activedescendant')
  }

  function line(index) {
    const value = row(index)
    const isCurrent = index === current
    const cells = columns.map((one, at) => {
      const isHere = isCurrent && at === column
      const cell = h('div', { class: `cell${isHere ? ' current' : ''}`, role: 'gridcell', id: isHere ? 'current-cell' : false, 'aria-colindex': at + 1 }, value ? one.render(value) : '…')
      cell.style.width = `${one.width}px`
      return cell
    })
    return h('div', {
      class: `row${isCurrent ? ' current' : ''}${value && marked.has(value) ? ' glow' : ''}`, role: 'row',
      'aria-rowindex': index + 2, 'aria-selected': index === current,
      onclick: () => choose(index), ondblclick: () => value && onOpen?.(value, index),
    }, cells)
  }

  function choose(index) {
    current = Math.max(0, Math.min(total - 1, index))
    const first = firstRow()
    if (current < first) scrollTo(current)
    else if (current >= first + visibleRows()) scrollTo(current - visibleRows() + 1)
    draw()
    const value = row(current)
    if (value) onSelect?.(value, current)
  }

  function scrollTo(index) {
    const share = index / Math.max(1, total - visibleRows())
    element.scrollTop = share * Math.max(0, height() - (element.clientHeight - rowHeight))
  }

  function chooseColumn(index) {
    column = Math.max(0, Math.min(columns.length - 1, index))
    const before = columns.slice(0, column).reduce((sum, one) => sum + one.width, 0)
    const [start, end] = [Math.abs(element.scrollLeft), Math.abs(element.scrollLeft) + element.clientWidth]
    // To the left the places are negative where text runs to the left.
    const to = before < start ? before : before + columns[column].width > end ? before + columns[column].width - element.clientWidth : start
    element.scrollLeft = isRightToLeft() ? -to : to
    draw()
  }

  const isRightToLeft = () => getComputedStyle(element).direction === 'rtl'

  function widen(step) {
    columns[column].width = Math.max(40, columns[column].width + step)
    show()
  }

  function press(event) {
    if (event.target !== element || event.ctrlKey || event.metaKey || event.altKey) return
    const aside = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: visibleRows(), PageUp: -visibleRows(), Home: -total, End: total }[event.key]
    if (step) choose(current + step)
    else if (aside) chooseColumn(column + (isRightToLeft() ? -aside : aside))
    else if (event.key === ' ') { if (onSort && columns[column].sorts !== false) onSort(columns[column]) }
    else if (event.key === '+' || event.key === '-') widen(event.key === '+' ? 20 : -20)
    else if (event.key === 'Enter' && event.shiftKey) rows.querySelector('.cell.current :is(button, a)')?.click()
    else if (event.key === 'Enter' && row(current)) onOpen?.(row(current), current)
    else return
    event.preventDefault()
  }

  function show() {
    fill(header, columns.map(heading))
    const width = columns.reduce((sum, column) => sum + column.width, 0)
    header.style.width = rows.style.width = `${width}px`
    space.style.height = `${height()}px`
    element.setAttribute('aria-rowcount', total + 1)
    draw()
  }

  return Object.assign(element, {
    /** The rows of a page, of which the first may be given to `load`. */
    pageSize,
    /** Shows `count` rows from the beginning of `fetch`, the `first` ones at once; `keep` stays where it is. */
    load(count, { sort = sorted, keep = false, first = null } = {}) {
      generation += 1
      total = count
      sorted = sort
      former = keep ? new Map([...former, ...[...pages].filter(([, rows]) => rows)]) : new Map()
      pages = new Map(first ? [[0, first]] : [])
      if (!keep) element.scrollTop = current = 0
      current = Math.max(0, Math.min(total - 1, current))
      show()
    },
    /** Lets rows glow once that `isChanged` picks. */
    glow(isChanged) {
      for (const page of pages.values()) page?.filter(isChanged).forEach((value) => marked.add(value))
      draw()
      setTimeout(() => { marked = new Set(); draw() }, 1_500)
    },
    /** The values of the rows that are held, by their keys, as text. */
    snapshot: () => new Map([...pages.values()].flatMap((page) => page ?? []).map((value) => [String(value.key), JSON.stringify(value.values)])),
    /** The row at an index, where it is held; after a change of its value `redraw` shows it. */
    row,
    redraw: draw,
    currentRow: () => row(current),
    currentIndex: () => current,
  })
}
