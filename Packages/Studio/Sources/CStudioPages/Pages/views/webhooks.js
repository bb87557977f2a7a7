// The webhooks of the server, and the messages that their receivers never accepted.
import { h, fill, button, say } from '../lib/dom.js'
import { bytes, count, visible } from '../lib/format.js'
import { link } from '../lib/router.js'
import { confirmed } from '../parts/dialog.js'
import { pages, table } from '../parts/table.js'
import * as api from '../lib/api.js'

/** All webhooks with their dead letters, or the letters of `parameters.webhook`. */
export async function webhooks(place, { parameters, signal }) {
  const { webhook } = parameters
  const list = h('div', {})
  const letters = h('div', {})
  fill(place, h('header', { class: 'view' }, h('h1', {}, 'Webhooks')), list,
    h('section', {}, h('h2', {}, webhook ? `Dead letters of ${visible(webhook)}` : 'Dead letters'),
      h('p', {}, 'Messages that their receivers never accepted.', webhook && [' ', h('a', { href: link('webhooks') }, 'Those of all webhooks')]), letters))

  async function show() {
    const { webhooks: found } = await api.webhooks(signal)
    fill(list, table([
      ['Name', (one) => h('bdi', { class: 'mono' }, visible(one.name))], ['Address', (one) => h('bdi', { class: 'mono' }, visible(one.url))],
      ['Realms', (one) => h('bdi', { class: 'mono' }, visible(one.pattern))],
      ['Dead letters', (one) => (one.deadLetters ? h('a', { href: link('webhooks', { webhook: one.name }) }, count(one.deadLetters)) : '0'), 'number'],
    ], found, { none: 'The configuration names none.' }))
  }

  const again = () => Promise.all([show(), rows.first()])
  const send = (letter) => async () => {
    const { accepted, reason } = await api.sendLetter(letter.id)
    if (accepted) say('The receiver has accepted it.')
    else say(`Not accepted: ${visible(reason ?? '')}`, 'error')
    await again()
  }
  const destroy = (letter) => () => confirmed({
    title: 'Remove this message?', text: 'Its receiver never gets it.', confirm: 'Remove',
    action: async () => { await api.deleteLetter(letter.id); say('The message is removed.'); await again() },
  })
  const rows = pages(letters, async (after) => {
    const found = await api.deadLetters({ webhook, after, limit: 50 }, signal)
    return { rows: found.letters, next: found.next }
  }, (found) => table([
    ['Webhook', (one) => h('bdi', { class: 'mono' }, visible(one.webhook))], ['Transaction', (one) => h('bdi', { class: 'mono' }, visible(one.event))],
    ['Why', (one) => h('bdi', {}, visible(one.reason))], ['Size', (one) => bytes(one.bytes), 'number'],
    ['', (one) => h('span', { class: 'actions' }, button('Send again', send(one)), button('Remove', destroy(one), { class: 'danger' }))],
  ], found, { none: 'None.' }))

  try { await again() } catch (error) {
    if (error.status !== 501) throw error
    fill(place, h('header', { class: 'view' }, h('h1', {}, 'Webhooks')), h('p', { class: 'none' }, 'This server has no webhooks.'))
  }
}
