// Connectors: the adapters that call, and how far every consumer of a realm is in its history.
import { h, fill, button, say } from '../lib/dom.js'
import { bytes, count, since, visible, when } from '../lib/format.js'
import { link } from '../lib/router.js'
import { confirmed } from '../parts/dialog.js'
import { pages, table } from '../parts/table.js'
import * as api from '../lib/api.js'

const pageSize = 50
const gaps = { bytes: 'more history than its budget', age: 'history older than its budget', trimmed: 'history that is not kept any more' }
const name = (text) => h('bdi', { class: 'mono' }, visible(text))
const behind = (one) => (one == null ? '–' : one.gap
  ? h('span', { class: 'error' }, `fell behind: ${gaps[one.gap] ?? one.gap}`)
  : one.versions === 0 ? 'nothing' : `${count(one.versions)} version${one.versions === 1 ? '' : 's'}, ${bytes(one.bytes)}`)

/** All adapters that have called, and the consumers of `parameters.path`, whether they call or not. */
export async function connectors(place, { parameters, go, signal }) {
  const { path } = parameters
  const list = h('div', {})
  const found = h('div', {})
  const realm = h('input', { type: 'search', class: 'mono', value: path ?? '', required: true, placeholder: 'Path of a realm', 'aria-label': 'Path of a realm' })
  fill(place, h('header', { class: 'view' }, h('h1', {}, 'Connectors'), button('Look again', () => Promise.all([adapters.again(), show()]))),
    h('section', {}, h('h2', {}, 'Adapters'), h('p', {}, 'Programs that carry realms to other systems, as they called since the server started.'), list),
    h('section', {}, h('h2', {}, 'Consumers of a realm'), h('p', {}, 'Adapters, handlers and webhooks that have a position in the history of a realm, which keeps the history after it for them.'),
      h('form', { class: 'line', onsubmit: (event) => { event.preventDefault(); go('connectors', { path: realm.value }) } }, realm, h('button', { type: 'submit' }, 'Show')), found))

  const adapters = pages(list, async (skip = 0) => {
    const { adapters: rows, total } = await api.adapters({ skip, limit: pageSize }, signal)
    return { rows, next: skip + rows.length < total && rows.length > 0 ? skip + rows.length : undefined }
  }, (rows) => table([
    ['Adapter', (one) => name(one.adapter)], ['Realm', (one) => h('a', { href: link('connectors', { path: one.path }) }, name(one.path))],
    ['Last call', (one) => h('span', { title: when(one.lastCall) }, since(one.lastCall))], ['Lease', (one) => (one.leasedUntil ? 'held' : '–')],
    ['Behind', (one) => behind(one.consumer)], ['', (one) => button('Forget', forget(one.adapter, one.path), { class: 'danger' })],
  ], rows, { none: 'None has called.' }))

  const forget = (adapter, at) => () => confirmed({
    title: `Forget ${visible(adapter)} in ${visible(at)}?`, confirm: 'Forget',
    text: 'Its position goes, and the realm keeps no history for it. If it calls again, it begins anew.',
    action: async () => { await api.removeAdapter(adapter, at); say('The adapter is forgotten.'); await Promise.all([adapters.again(), show()]) },
  })

  async function show() {
    if (!path) return fill(found, h('p', { class: 'none' }, 'Choose a realm.'))
    const { consumers } = await api.consumers(path, signal)
    const adapter = (one) => one.name.match(/^adapter (.*)$/s)?.[1]
    return fill(found, h('h3', {}, name(path)), table([
      ['Name', (one) => name(one.name)], ['Has dealt with version', (one) => count(one.position), 'number'], ['Behind', behind],
      ['Oldest', (one) => (one.versions ? since(Date.now() - one.seconds * 1_000) : '–')],
      ['At most', (one) => `${bytes(one.budgetBytes)}, ${count(Math.round(one.budgetSeconds / 3_600))} hours`],
      ['', (one) => adapter(one) != null && button('Forget', forget(adapter(one), path), { class: 'danger' })],
    ], consumers, { none: 'None follows this realm.' }))
  }

  await Promise.all([adapters.first(), show()])
}
