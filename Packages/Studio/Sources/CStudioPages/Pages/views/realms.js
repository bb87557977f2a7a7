// Realms: found, opened, renamed, deleted.
import { h, fill, button, later, say } from '../lib/dom.js'
import { bytes, count, when } from '../lib/format.js'
import { ask, confirmed } from '../parts/dialog.js'
import { pages, table } from '../parts/table.js'
import * as api from '../lib/api.js'

/** The list with its search; partial views appear on request. */
export async function realms(place, { go, signal }) {
  const list = h('div', {})
  const total = h('span', { class: 'total', role: 'status' })
  const search = h('input', { type: 'search', placeholder: 'Search by path', 'aria-label': 'Search by path', oninput: later(200, () => rows.first()) })
  const system = h('input', { type: 'checkbox', onchange: () => rows.first() })
  fill(place, h('header', { class: 'view' }, h('h1', {}, 'Realms'), search, h('label', { class: 'inline' }, system, 'Partial views'), total), list)

  const rows = pages(list, async (after) => {
    const found = await api.realms({ search: search.value, system: system.checked, after, limit: 100 }, signal)
    total.textContent = `${count(found.total)} realm${found.total === 1 ? '' : 's'}`
    return { rows: found.realms, next: found.next }
  }, (found) => table([
    ['Path', (realm) => h('bdi', { class: 'mono' }, realm.path)], ['Size', (realm) => (realm.problem ? h('span', { class: 'error', title: realm.problem }, 'unreadable') : bytes(realm.bytes)), 'number'],
    ['Devices', (realm) => count(realm.clients), 'number'], ['Owner', (realm) => h('bdi', { class: 'mono' }, realm.owner ?? '–')],
    ['Last change', (realm) => when(realm.lastChange)],
    ['', (realm) => h('span', { class: 'actions' }, button('Rename', () => rename(realm)), button('Delete', () => destroy(realm), { class: 'danger' }))],
  ], found, { none: 'No realm fits.', onRow: (realm) => go('data', { path: realm.path }) }))

  const rename = (realm) => ask({
    title: `Rename ${realm.path}`, text: 'Apps that open the old path find no realm there.', confirm: 'Rename',
    fields: [{ name: 'path', label: 'New path', value: realm.path, required: true }],
    action: async ({ path }) => { await api.renameRealm(realm.path, path); say(`Renamed to ${path}.`); await rows.again() },
  })

  const destroy = (realm) => confirmed({
    title: `Delete ${realm.path}?`, text: 'All data and the history of this realm are deleted on the server.', confirm: 'Delete', word: realm.path,
    action: async () => { await api.deleteRealm(realm.path); say(`${realm.path} is deleted.`); await rows.again() },
  })

  await rows.first()
}
