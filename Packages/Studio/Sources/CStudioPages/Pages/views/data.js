// The objects of a realm: classes at the left, the grid, the query bar, and the editor at the right.
import { h, fill, button, report, say } from '../lib/dom.js'
import { count, visible } from '../lib/format.js'
import { cell } from '../lib/values.js'
import { grid } from '../parts/grid.js'
import { confirmed } from '../parts/dialog.js'
import { queryBar } from './query-bar.js'
import { editor } from './editor.js'
import { batch } from './batch.js'
import { realmHeader } from './realm-header.js'
import { link } from '../lib/router.js'
import { scope } from '../lib/scope.js'
import * as api from '../lib/api.js'

const widths = { bool: 80, int: 110, float: 110, double: 110, date: 200, objectId: 220, UUID: 290 }
/** The least milliseconds between two looks at the version of the realm; a dear query is asked for less often. */
const interval = 1_000

/** Shows a class of the realm at `parameters.path`, or with `parameters.at` as it was after that version. */
export async function data(place, { parameters, go, signal }) {
  const { path, at } = parameters
  const { classes = [] } = await api.realm(path, { at }, signal)
  const isSystem = ({ name }) => name.startsWith('__')
  const type = classes.find(({ name }) => name === parameters.class) ?? classes.find((one) => one.kind === 'topLevel' && !isSystem(one))
  const shown = h('section', { class: 'data' })
  const side = h('aside', { 'aria-label': 'Object', hidden: true })
  const system = h('input', { type: 'checkbox', checked: type ? isSystem(type) : false, onchange: () => fill(list, classList()) })
  const classList = () => classes.filter((one) => one.kind === 'topLevel' && (system.checked || !isSystem(one))).map((one) =>
    h('li', {}, h('button', {
      type: 'button', class: 'plain', 'aria-current': one.name === type?.name ? 'true' : false, onclick: () => go('data', { path, class: one.name, at }),
    }, h('bdi', {}, one.name), h('span', { class: 'count' }, count(one.objects)))))
  const list = h('ul', {}, classList())
  fill(place, realmHeader(path, 'data', at && h('p', { class: 'past', role: 'note' }, `As of version ${count(Number(at))}. `, h('a', { href: link('data', { path, class: type?.name }) }, 'Back to the present'))),
    h('div', { class: 'realm' }, h('nav', { class: 'classes', 'aria-label': 'Classes' }, list, h('label', { class: 'inline' }, system, 'System classes')), shown, side))
  if (!type) return fill(shown, h('p', { class: 'none' }, at ? 'The realm had no classes then.' : 'This realm has no classes yet. An app makes them when it opens the realm.'))
  await objects({ path, at, classes, type, shown, side, parameters, go, signal })
}

/** The grid of one class with its bar. */
async function objects({ path, at, classes, type, shown, side, parameters, go, signal }) {
  let sort = null
  let query = parameters.query ?? ''
  let version = null
  const isFixed = at != null || scope().isReadOnly
  const total = h('span', { class: 'total', role: 'status' })
  const isEmbedded = ({ target }) => classes.find(({ name }) => name === target)?.kind === 'embedded'
  const ask = (skip, take, more = {}) => api.objects({
    path, at, className: type.name, query, sort: sort?.name, descending: sort?.descending, skip, take, ...more,
  }, signal)

  const table = grid({
    label: `Objects of ${type.name}`,
    columns: type.properties.filter((property) => property.type !== 'linkingObjects').map((property) => ({
      name: property.name, title: property.name, width: widths[property.type] ?? 180, sorts: property.collection === 'single',
      detail: describe(property, type), render: (row) => cell(row.values[property.name], property, {
        isEmbedded: isEmbedded(property), open: follow, length: row.cut?.[property.name],
      }),
    })),
    fetch: async (skip, take) => {
      // An answer with large values ends early.
      const rows = []
      for (;;) {
        const { total, objects } = await ask(skip + rows.length, take - rows.length)
        rows.push(...objects)
        if (!objects.length || rows.length >= take || skip + rows.length >= total) return rows
      }
    },
    onSort: (column) => {
      if (sort?.name !== column.name) sort = { name: column.name, descending: false }
      else sort = sort.descending ? null : { name: column.name, descending: true }
      load()
    },
    onOpen: open,
  })

  /** Goes to the object to which a link leads; embedded objects are a part of their row. */
  function follow(target, key) {
    const other = classes.find(({ name }) => name === target)
    const property = other?.properties.find(({ name }) => name === other.primaryKey)
    if (property) go('data', { path, at, class: target, query: isKey(property, key) })
    else if (other) go('data', { path, at, class: target })
  }

  const bar = queryBar({ type, classes, value: query, onChange: (text) => {
    query = text
    go('data', { path, at, class: type.name, query: text }, { replace: true })
    load()
  } })

  /** Shows the rows as they are now, unless the realm still has the version `unless`; gives those that were shown before. */
  async function load({ keep = false, unless } = {}) {
    const asked = [query, sort]
    try {
      const found = await ask(0, keep ? 0 : table.pageSize, { unless })
      // Nothing is new, or something else was asked for meanwhile.
      if (found.total == null || query !== asked[0] || sort !== asked[1]) return null
      bar.problem(null)
      version = found.version
      total.textContent = `${count(found.total)} object${found.total === 1 ? '' : 's'}`
      const before = unless == null ? null : table.snapshot()
      table.load(found.total, { sort, keep, first: keep ? null : found.objects })
      return before
    } catch (error) {
      if (error.name === 'AbortError') return null
      if (query && error.status === 400) bar.problem(error)
      else if (unless == null) report(error)
      return null
    }
  }

  const changed = () => load({ keep: true })
  const pending = batch({ path, changed })

  /** The row with its long values, found by its place; another object may have moved there meanwhile. */
  async function whole(row) {
    if (!row?.cut) return row
    const [found] = (await ask(table.currentIndex(), 1, { whole: true })).objects
    if (found?.key !== row.key) throw new Error('The rows have changed: choose the object again.')
    return found
  }

  async function open(row) {
    const found = await whole(row)
    side.hidden = false
    editor(side, { path, type, row: found, isEmbedded, isFixed, pending, close: () => { side.hidden = true; table.focus() }, changed })
  }

  async function removeCurrent() {
    const row = await whole(table.currentRow())
    if (!row) return
    const edit = { action: 'delete', class: type.name, key: row.key }
    const lines = await api.preview(path, [edit])
    // Files that do not sync do not tell what would be written.
    const isTold = lines.length > 0
    await confirmed({
      title: `Delete ${type.name} ${visible(row.key)}?`, confirm: 'Delete',
      text: [isTold && lines.length === 1 ? 'Nothing links to it. Embedded objects that it owns go with it.' : 'Links to it go, and embedded objects that it owns.',
        isTold && h('pre', { class: 'preview', tabindex: 0 }, lines.map((line) => `${visible(line)}\n`))],
      action: async () => {
        await api.write(path, [edit])
        const { [type.primaryKey]: _, ...values } = row.values
        say(`${type.name} ${visible(row.key)} is deleted.`, 'done', type.primaryKey && ['Undo', async () => {
          await api.write(path, [{ action: 'create', class: type.name, key: row.key, values }])
          say('The object is back. Links that led to it are not.')
          await changed()
        }])
        await changed()
      },
    })
  }
  if (!isFixed) table.addEventListener('keydown', (event) => { if (event.key === 'Delete') removeCurrent().catch(report) })

  /** Looks for commits of others, and lets the rows glow that are not as they were. */
  async function watch() {
    if (signal.aborted) return
    const start = performance.now()
    const before = version === null ? null : await load({ keep: true, unless: version })
    if (before) setTimeout(() => table.glow((row) => before.get(String(row.key)) !== JSON.stringify(row.values)), 400)
    // The order of a large class is made anew after each commit: the server works for it a tenth of the time at most.
    setTimeout(watch, Math.max(document.hidden ? 10 * interval : interval, 9 * (performance.now() - start)))
  }

  fill(shown, h('div', { class: 'bar' }, bar, total, !isFixed && [button('New', () => open(null), { class: 'main' }), button('Delete', removeCurrent)], button('Open', () => { const row = table.currentRow(); return row && open(row) })), pending.element, table)
  await load()
  if (at == null) setTimeout(watch, interval)
}

/** The query for the object of a key. A link to the null key has the text of the key `null`. */
const isKey = (property, key) => {
  const texts = property.type === 'string' || key !== 'null' ? [literal(key, property.type)] : []
  return [...(property.isOptional && key === 'null' ? ['null'] : []), ...texts].map((text) => `${property.name} == ${text}`).join(' OR ')
}

/** The text of a key as a value of the query language. */
const literal = (key, type) => ({ string: JSON.stringify(key), objectId: `oid(${key})`, UUID: `uuid(${key})` })[type] ?? key

const describe = (property, type) => {
  const of = property.collection === 'single' ? '' : `${property.collection} of `
  const more = property.name === type.primaryKey ? ', primary key' : property.isIndexed ? ', indexed' : ''
  return `${of}${property.target ?? property.type}${property.isOptional ? ', may be null' : ''}${more}`
}
