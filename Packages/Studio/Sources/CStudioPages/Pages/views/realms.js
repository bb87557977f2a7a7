// Realms: found, opened, renamed, deleted.
import { h, fill, button, later, report, say } from '../lib/dom.js'
import { bytes, count, when } from '../lib/format.js'
import { link } from '../lib/router.js'
import { scope } from '../lib/scope.js'
import { ask, confirmed } from '../parts/dialog.js'
import { grid } from '../parts/grid.js'
import * as api from '../lib/api.js'

/** The list with its search, however long; partial views appear on request. */
export async function realms(place, { go, signal }) {
  const total = h('span', { class: 'total', role: 'status' })
  const search = h('input', { type: 'search', dir: 'auto', placeholder: 'Search by path', 'aria-label': 'Search by path', oninput: () => searched(), onkeydown: (event) => event.key === 'Enter' && searched.now() })
  const searched = later(200, () => load())
  const system = h('input', { type: 'checkbox', onchange: () => load().catch(report) })
  const isServer = scope().kind === 'server'
  const page = (skip, limit, details = false) => api.realms({ search: search.value, system: system.checked, skip, limit, details }, signal)
  /** What the server has to look into the file for, once it has. */
  const known = ({ isComplete }, text) => (isComplete ? text : '')
  const list = grid({
    label: 'Realms',
    columns: [
      { name: 'path', title: 'Path', width: 380, sorts: false, render: ({ path }) => h('a', { class: 'mono', tabindex: -1, href: link('data', { path }) }, h('bdi', {}, path)) },
      { name: 'bytes', title: 'Size', width: 110, sorts: false, render: (realm) => (realm.problem ? h('span', { class: 'error', title: realm.problem }, 'unreadable') : known(realm, bytes(realm.bytes))) },
      { name: 'clients', title: 'Devices', width: 90, sorts: false, render: (realm) => known(realm, count(realm.clients)) },
      { name: 'sessions', title: 'Sessions', width: 90, sorts: false, render: ({ sessions }) => count(sessions) },
      { name: 'owner', title: 'Owner', width: 290, sorts: false, render: ({ owner }) => h('bdi', { class: 'mono' }, owner ?? '–') },
      { name: 'lastChange', title: 'Last change', width: 220, sorts: false, render: (realm) => known(realm, when(realm.lastChange)) },
    ],
    fetch: async (skip, take) => open(await page(skip, take)),
    onRest: complete,
    onOpen: ({ path }) => go('data', { path }),
  })
  const chosen = (action) => () => { const row = list.currentRow(); return row && action(row) }
  fill(place, h('header', { class: 'view' }, h('h1', {}, 'Realms'), search, isServer && h('label', { class: 'inline' }, system, 'Partial views'), total, button('Open', chosen(({ path }) => go('data', { path }))),
    isServer && [button('New realm', create, { class: 'main' }), button('Rename', chosen(rename)), button('Delete', chosen(destroy), { class: 'danger' })]), h('div', { class: 'tall' }, list))

  /** Completes the rows in view: their paths are there before the server has looked into their files. */
  async function complete(first, end) {
    const isOpen = (index) => list.row(index)?.isComplete === false
    while (first < end && !isOpen(first)) first += 1
    while (first < end && !isOpen(end - 1)) end -= 1
    const rows = Array.from({ length: end - first }, (_, index) => list.row(first + index)).filter(Boolean)
    if (!rows.length) return
    rows.forEach((row) => { row.isComplete = null })
    const { realms } = await page(first, end - first, true)
    const found = new Map(realms.map((realm) => [realm.path, realm]))
    for (const row of rows) if (found.has(row.path)) Object.assign(row, found.get(row.path), { isComplete: true })
    list.redraw()
  }

  /** Rows without what is in their files. */
  const open = ({ realms }) => realms.map((realm) => ({ ...realm, isComplete: false }))

  async function load() {
    const asked = search.value
    const found = await page(0, list.pageSize)
    // The answer to what stands there now is on its way.
    if (search.value !== asked) return
    total.textContent = `${count(found.total)} realm${found.total === 1 ? '' : 's'}`
    list.load(found.total, { first: open(found) })
  }

  function create() {
    return ask({
      title: 'New realm', confirm: 'Create', text: 'It has no classes yet. In the folder of a user, such as /5f2…/pets, it belongs to that user.',
      fields: [{ name: 'path', label: 'Path', value: '/', required: true }],
      action: async ({ path }) => { const made = await api.createRealm(path); go('schema', { path: made.path }) },
    })
  }

  function rename(realm) {
    return ask({
      title: `Rename ${realm.path}`, text: 'Apps that open the old path are led to the new one.', confirm: 'Rename',
      fields: [{ name: 'path', label: 'New path', value: realm.path, required: true }],
      action: async ({ path }) => { await api.renameRealm(realm.path, path); say(`Renamed to ${path}.`); await load() },
    })
  }

  function destroy(realm) {
    return confirmed({
      title: `Delete ${realm.path}?`, text: 'All data and the history of this realm are deleted on the server.', confirm: 'Delete', word: realm.path,
      action: async () => { await api.deleteRealm(realm.path); say(`${realm.path} is deleted.`); await load() },
    })
  }

  await load()
  list.focus()
}
