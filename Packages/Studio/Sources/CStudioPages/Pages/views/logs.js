// The server's log as it is written.
import { h, fill, report, say } from '../lib/dom.js'
import { visible } from '../lib/format.js'
import * as api from '../lib/api.js'

const levels = ['debug', 'info', 'warn', 'error']
const kept = 2_000

/** Follows the log; the filter is over what is shown, the level is asked of the server. */
export async function logs(place, { signal }) {
  let entries = []
  let stream = new AbortController()
  const list = h('ol', { class: 'log', 'aria-label': 'Log', tabindex: 0 })
  const filter = h('input', { type: 'search', placeholder: 'Filter', 'aria-label': 'Filter', oninput: draw })
  const level = h('select', { 'aria-label': 'Level', onchange: start }, levels.map((name) => h('option', { value: name, selected: name === 'info' }, name)))
  const follow = h('input', { type: 'checkbox', checked: true })
  const present = (await api.logLevel(signal)).level
  const written = h('select', { 'aria-label': 'Level that is written', onchange: () => api.setLogLevel(written.value).then(() => say(`The server writes entries from ${written.value} on.`), report) },
    [...new Set([...levels, present])].map((name) => h('option', { value: name, selected: name === present }, name)))
  fill(place, h('header', { class: 'view' }, h('h1', {}, 'Log'), filter, level, h('label', { class: 'inline' }, follow, 'Follow'), h('label', { class: 'inline' }, 'The server writes from', written, 'on')), list)

  const fits = (entry) => entry.text.toLowerCase().includes(filter.value.toLowerCase())
  const line = (entry) => h('li', { class: entry.level }, entry.text)

  function draw() {
    fill(list, entries.filter(fits).slice(-500).map(line))
    list.scrollTop = list.scrollHeight
  }

  function start() {
    stream.abort()
    stream = new AbortController()
    entries = []
    draw()
    api.followLogs({ level: level.value, last: 200 }, (entry) => {
      const fields = entry.fields.map(({ name, value }) => `${name}=${value}`).join(' ')
      const row = { level: entry.level, text: visible(`${new Date(entry.time).toISOString()}  ${entry.level.padEnd(7)} ${entry.category}: ${entry.message}  ${fields}`) }
      entries.push(row)
      if (entries.length > kept) entries = entries.slice(-kept / 2)
      if (!fits(row)) return
      list.append(line(row))
      while (list.children.length > 500) list.firstChild.remove()
      if (follow.checked) list.scrollTop = list.scrollHeight
    }, stream.signal)
  }
  signal.addEventListener('abort', () => stream.abort())
  start()
}
