// One object: a field per property, checked before anything is sent, one transaction per save with a look at what it writes.
import { h, fill, button, report, say } from '../lib/dom.js'
import * as api from '../lib/api.js'
import { visible } from '../lib/format.js'
import { editable, isJSON, picture, read } from '../lib/values.js'

/** Shows the object of a row; without one a new object, which begins as a copy of `from`. */
export function editor(place, { path, type, row, from, isEmbedded, isFixed, pending, close, changed }) {
  const given = row ?? from
  const problem = h('p', { class: 'error', role: 'alert' })
  const preview = h('pre', { class: 'preview', 'aria-label': 'What will be written' })
  const isKey = (property) => property.name === type.primaryKey
  const before = new Map()
  const inputs = type.properties.filter((property) => property.type !== 'linkingObjects').map((property) => [property, input(property)])

  function input(property) {
    const text = given && !(isKey(property) && !row) ? editable(given.values[property.name], isJSON(property, isEmbedded(property))) : ''
    before.set(property.name, row ? text : null)
    const readOnly = isFixed || (row && isKey(property))
    const shared = { 'aria-label': property.name, oninput: draw, readonly: readOnly || false, dir: 'auto' }
    if (property.type === 'bool' && property.collection === 'single') {
      return h('select', { ...shared, disabled: readOnly || false }, (property.isOptional ? ['', 'false', 'true'] : ['false', 'true'])
        .map((name) => h('option', { value: name, selected: name === text }, name || 'null')))
    }
    const isLong = property.collection !== 'single' || text.length > 60 || text.includes('\n') || ['data', 'any'].includes(property.type)
    return isLong
      ? h('textarea', { ...shared, rows: Math.min(10, text.split('\n').length + 1), value: text })
      : h('input', { ...shared, value: text, autocomplete: 'off' })
  }

  /** The values that were changed; throws the first mistake. */
  function values() {
    const found = {}
    for (const [property, element] of inputs) {
      if (isKey(property) && row) continue
      if (element.value === before.get(property.name)) continue
      // What is left empty in a new object gets the neutral value of its type, or null.
      if (!row && element.value === '' && !isKey(property)) continue
      found[property.name] = read(element.value, property, isEmbedded(property))
    }
    return found
  }

  function edit() {
    const found = values()
    if (row) return { action: 'update', class: type.name, key: row.key, values: found }
    const { [type.primaryKey]: key, ...rest } = found
    return { action: 'create', class: type.name, ...(type.primaryKey ? { key: key ?? null } : {}), values: rest }
  }

  function draw() {
    try {
      const planned = edit()
      problem.textContent = ''
      fill(preview, `${planned.action} ${type.name}${planned.key === undefined ? '' : ` ${visible(planned.key)}`}\n`,
        Object.entries(planned.values).map(([name, value]) => `  ${name} = ${value === null ? 'null' : visible(value)}\n`))
    } catch (error) {
      problem.textContent = error.message
    }
  }

  async function save() {
    try {
      const planned = edit()
      await api.write(path, [planned])
      say(row ? 'Saved.' : `A ${type.name} is created.`, 'done', undo(planned))
      await changed()
      close()
    } catch (error) {
      problem.textContent = error.message
    }
  }

  /** What takes an edit back by a second transaction: the former values, or the deletion of what was made. */
  function undo(done) {
    const former = row && Object.fromEntries(Object.keys(done.values).map((name) => [name, row.values[name] ?? null]))
    if (!row && !type.primaryKey) return null
    return ['Undo', async () => {
      await api.write(path, [row ? { ...done, values: former } : { action: 'delete', class: done.class, key: done.key }])
      say(row ? 'The former values are back.' : 'The object is gone again.')
      await changed()
    }]
  }

  /** Keeps the edit for a transaction with others. */
  function keep() {
    try {
      pending.add(edit())
      close()
    } catch (error) {
      problem.textContent = error.message
    }
  }

  const title = row ? `${type.name} ${visible(row.key)}` : `New ${type.name}`
  const copy = () => editor(place, { path, type, row: null, from: row, isEmbedded, isFixed, pending, close, changed })
  fill(place, h('header', {}, h('h2', {}, h('bdi', {}, title)), h('button', { type: 'button', 'aria-label': 'Close', onclick: close }, '×')),
    h('form', { onsubmit: (event) => { event.preventDefault(); save().catch(report) }, onkeydown: (event) => { if (event.key === 'Escape') close() } },
      inputs.map(([property, element]) => h('label', {}, h('span', {}, h('bdi', {}, property.name), h('small', {}, ` ${label(property)}`)), element, property.type === 'data' && picture(given?.values[property.name] ?? ''))),
      !isFixed && [preview, problem,
        h('footer', {}, row && button('Duplicate', copy), button('Add to a batch', keep), h('button', { type: 'submit', class: 'main' }, row ? 'Save' : 'Create'))]))
  draw()
  inputs.find(([, element]) => !element.readOnly)?.[1].focus()
}

const label = (property) => `${property.collection === 'single' ? '' : `${property.collection} of `}${property.target ?? property.type}${property.isOptional ? '?' : ''}`
