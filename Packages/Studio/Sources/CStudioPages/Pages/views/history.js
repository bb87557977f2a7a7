// The transactions of a realm: who, when, which instructions; what one of them changed; the realm as it was after it.
import { h, fill, button } from '../lib/dom.js'
import { bytes, count, visible, when } from '../lib/format.js'
import { pages, table } from '../parts/table.js'
import { realmHeader } from './realm-header.js'
import * as api from '../lib/api.js'

/** The transactions of the realm at `parameters.path`, newest first. */
export async function history(place, { parameters, go, signal }) {
  const { path } = parameters
  const list = h('div', {})
  const detail = h('aside', { 'aria-label': 'Transaction', tabindex: -1 }, h('p', { class: 'none' }, 'Choose a transaction.'))
  const state = h('p', {})
  let isWhole = false
  fill(place, realmHeader(path, 'history'), state, h('div', { class: 'split' }, list, detail))

  const rows = pages(list, async (before) => {
    const found = await api.history(path, { before, limit: 50 }, signal)
    isWhole = found.base === 0
    state.textContent = `Version ${count(found.newest)}; kept from version ${count(found.base + 1)} on.`
    return { rows: found.transactions, next: found.next }
  }, (found) => table([
    ['Version', (row) => count(row.version), 'number'], ['When', (row) => when(row.time)],
    ['Who', (row) => (row.user ? h('bdi', { class: 'mono' }, row.user) : row.author === 1 ? 'the server' : `device ${row.author}`)],
    ['Instructions', (row) => h('div', { class: 'mono instructions' }, row.instructions.slice(0, 3).map((line) => h('div', {}, h('bdi', {}, visible(line)))), row.count > 3 && h('small', {}, `and ${count(row.count - 3)} more`))],
    ['Size', (row) => bytes(row.bytes), 'number'],
  ], found, { none: 'No transaction is kept.', onRow: show }))

  async function show(row) {
    const found = await api.transaction(path, row.version, signal)
    fill(detail, h('h2', {}, `Transaction ${found.version}`),
      h('p', {}, `${when(found.time)}, by ${found.user ? visible(found.user) : found.author === 1 ? 'the server' : `device ${found.author}`}.`),
      isWhole ? h('div', { class: 'actions' },
        button('The realm as of then', () => go('data', { path, at: found.version })),
        found.version > 1 && button('… and before', () => go('data', { path, at: found.version - 1 }))) : h('p', { class: 'none' }, 'The realm as of then cannot be shown: the beginning of its history is not kept.'),
      found.objects ? found.objects.map(change) : h('p', { class: 'none' }, 'The values before it are not kept: they are from the first query-based device or feed on.'),
      h('h3', {}, 'Instructions'), h('pre', { class: 'preview', tabindex: 0 }, found.instructions.map((line) => `${visible(line)}\n`)))
    detail.focus()
  }

  await rows.first()
}

/** One object before and after: the properties that were written. */
function change({ class: type, key, before, after, written }) {
  const names = before && after ? written : Object.keys(after ?? before ?? {})
  const text = (values, name) => (values?.[name] === undefined || values[name] === null ? h('span', { class: 'null' }, 'null') : h('bdi', {}, visible(values[name])))
  return h('section', {}, h('h3', {}, h('bdi', {}, `${type} ${visible(key)}`), before ? (after ? '' : ' deleted') : ' created'),
    table([
      ['Property', (name) => h('bdi', {}, name)], ...(before ? [['Before', (name) => text(before, name)]] : []), ...(after ? [['After', (name) => text(after, name)]] : []),
    ], names, { none: 'Links and collections only.' }))
}
