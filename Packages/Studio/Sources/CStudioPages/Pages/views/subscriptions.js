// The devices that are connected to a realm, the queries by which they hold a part of it, and what these cost.
import { h, fill, button } from '../lib/dom.js'
import { count, visible } from '../lib/format.js'
import { link } from '../lib/router.js'
import { table } from '../parts/table.js'
import { realmHeader } from './realm-header.js'
import * as api from '../lib/api.js'

/** The open sessions of the realm at `parameters.path` with their queries. */
export async function subscriptions(place, { parameters, signal }) {
  const { path } = parameters
  const list = h('div', { class: 'stack' })
  fill(place, realmHeader(path, 'subscriptions', button('Measure again', show)), list)

  async function show() {
    const { clients, queries } = await api.subscriptions(path, signal)
    const users = (number) => clients.filter((one) => one.queries.includes(number)).length
    fill(list,
      h('section', {}, h('h2', {}, 'Devices'), table([
        ['User', (one) => h('a', { class: 'mono', href: link('users', { user: one.user }) }, h('bdi', {}, one.user))], ['Device', (one) => one.file, 'number'],
        ['Holds', (one) => (one.isWhole ? 'the whole realm' : one.queries.length ? h('ul', { class: 'plain mono' }, one.queries.map((number) => h('li', {}, h('bdi', {}, visible(`${queries[number].class}: ${queries[number].query}`))))) : 'nothing yet')],
      ], clients, { none: 'No device is connected to this realm now.' })),
      h('section', {}, h('h2', {}, 'Queries'), table([
        ['Class', (one) => h('bdi', {}, one.class)], ['Query', (one) => h('bdi', { class: 'mono' }, visible(one.query))],
        ['Devices', (one) => users(queries.indexOf(one)), 'number'], ['Objects', (one) => (one.problem ? h('span', { class: 'error' }, visible(one.problem)) : count(one.objects)), 'number'],
        ['Evaluation', (one) => (one.milliseconds == null ? '–' : `${Number(one.milliseconds).toFixed(2)} ms`), 'number'],
        ['Plan', (one) => (one.plan ?? '–').trim().split('\n').map((line) => h('div', { class: 'mono' }, h('bdi', {}, visible(line))))],
        ['', (one) => h('a', { href: link('data', { path, class: one.class, query: one.query }) }, 'Objects')],
      ], queries, { none: 'No device holds a part of this realm by queries.' })))
  }

  await show()
}
