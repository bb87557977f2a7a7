// Values of properties. The server gives texts: scalars and links plain, collections, embedded objects and mixed values as JSON.
import { h } from './dom.js'
import { visible } from './format.js'

/** The longest text that a cell shows; the whole one is in the editor. */
const cellLength = 200
const numbers = ['int', 'float', 'double', 'decimal128']

/** Whether the text of a property is JSON. */
export const isJSON = (property, embedded) => property.collection !== 'single' || property.type === 'any' || embedded

/** One value as a node for a cell; `open` is called with the class and the key to which a link leads. */
export function cell(text, property, { isEmbedded, open, length }) {
  if (text === null || text === undefined) return h('span', { class: 'null' }, 'null')
  if (property.collection !== 'single') return collection(text, property, length)
  if (property.type === 'object' && !isEmbedded) {
    return h('button', {
      type: 'button', class: 'plain follow', tabindex: -1, title: `Open this ${property.target}`,
      onclick: (event) => { event.stopPropagation(); open(property.target, text) },
    }, `${visible(text)} →`)
  }
  if (property.type === 'bool') return h('span', { class: text === 'true' ? 'yes' : 'no' }, text)
  if (property.type === 'data') return picture(text, length) ?? h('bdi', { class: 'mono' }, shortened(text, length))
  return h('bdi', { class: numbers.includes(property.type) ? 'number' : 'text' }, shortened(visible(text), length))
}

function collection(text, property, length) {
  let value
  try { value = JSON.parse(text) } catch { return h('bdi', { class: 'many' }, shortened(visible(text), length)) }
  const all = Array.isArray(value) ? value.map(summary) : Object.entries(value).map(([key, one]) => `${visible(key)}: ${summary(one)}`)
  const [one, many] = { list: ['element', 'elements'], set: ['member', 'members'], dictionary: ['entry', 'entries'] }[property.collection]
  return h('span', { class: 'many' }, h('b', {}, `${all.length} ${all.length === 1 ? one : many}`),
    all.length ? ` ${shortened(all.slice(0, 5).join(', '))}${all.length > 5 ? ', …' : ''}` : '')
}

/** A small picture for data that begins as one; nothing else of the data is looked at. */
export function picture(text, length) {
  const kinds = { iVBORw0KGgo: 'image/png', '/9j/': 'image/jpeg', R0lGOD: 'image/gif', UklGR: 'image/webp' }
  const kind = Object.entries(kinds).find(([start]) => text.startsWith(start))?.[1]
  return kind && !length ? h('img', { class: 'thumbnail', alt: `${kind} of ${Math.floor(text.length * 0.75)} bytes`, src: `data:${kind};base64,${text}` }) : null
}

const shortened = (text, length) => (length || text.length > cellLength ? `${text.slice(0, cellLength)}… (${length ?? text.length} characters)` : text)

/** A value of JSON in one line. */
export function summary(value) {
  if (value === null || value === undefined) return 'null'
  if (typeof value !== 'object') return visible(value)
  if (Array.isArray(value)) return `[${value.slice(0, 3).map(summary).join(', ')}${value.length > 3 ? ', …' : ''}]`
  const members = Object.entries(value)
  if (members.length === 1 && members[0][0].startsWith('$')) return summary(members[0][1])
  return `{${members.slice(0, 4).map(([name, one]) => `${visible(name)}: ${summary(one)}`).join(', ')}${members.length > 4 ? ', …' : ''}}`
}

/** JSON with a line per member, for an editor; other texts as they are. */
export function editable(text, isStructured) {
  if (text === null || text === undefined) return ''
  if (!isStructured) return text
  try { return JSON.stringify(JSON.parse(text), null, 1) } catch { return text }
}

/**
 * The text that is sent for what a person typed; null means null.
 *
 * Throws an error with a sentence that says what the property takes. The server checks the text once more.
 */
export function read(typed, property, isEmbedded) {
  const { name, type } = property
  if (isJSON(property, isEmbedded)) return readJSON(typed, property, isEmbedded)
  if (type === 'string') return typed === '' && property.isOptional ? null : typed
  const text = typed.trim()
  if (text === '') {
    if (property.isOptional || type === 'object') return null
    throw new Error(`${name} needs a value.`)
  }
  const rule = rules[type]
  if (rule && !rule[0](text)) throw new Error(`${name} is ${rule[1]}.`)
  return text
}

const fits64Bits = (text) => BigInt(text) === BigInt.asIntN(64, BigInt(text))
const rules = {
  int: [(text) => /^[+-]?\d+$/.test(text) && fits64Bits(text.replace('+', '')), 'a whole number of 64 bits, such as 42'],
  float: [(text) => Number.isFinite(Number(text)) || /^(NaN|-?Infinity)$/.test(text), 'a number, such as 2.5, or NaN, Infinity, -Infinity'],
  double: [(text) => Number.isFinite(Number(text)) || /^(NaN|-?Infinity)$/.test(text), 'a number, such as 2.5, or NaN, Infinity, -Infinity'],
  bool: [(text) => text === 'true' || text === 'false', 'true or false'],
  date: [(text) => !Number.isNaN(Date.parse(text)), 'a time, such as 2026-01-31T12:00:00Z'],
  objectId: [(text) => /^[0-9a-f]{24}$/i.test(text), '24 hexadecimal digits'],
  UUID: [(text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text), 'a UUID'],
  data: [(text) => { try { atob(text); return true } catch { return false } }, 'base64 text'],
}

function readJSON(typed, { name, collection, type }, isEmbedded) {
  const text = typed.trim()
  if (text === '') return collection === 'list' || collection === 'set' ? '[]' : collection === 'dictionary' ? '{}' : null
  let value
  try { value = JSON.parse(text) } catch {
    // A mixed value may be a plain text.
    if (type === 'any' && collection === 'single') return typed
    throw new Error(`${name} is JSON.`)
  }
  const isList = Array.isArray(value), isObject = value !== null && typeof value === 'object' && !isList
  if ((collection === 'list' || collection === 'set') && !isList) throw new Error(`${name} is a JSON list, such as [1, 2].`)
  if ((collection === 'dictionary' || (collection === 'single' && isEmbedded)) && !isObject && value !== null) throw new Error(`${name} is a JSON object, such as {"key": 1}.`)
  return text
}
