// The classes of a realm as a picture with their links, and as source text for apps.
import { h, fill, button, say } from '../lib/dom.js'
import { scope } from '../lib/scope.js'
import { ask } from '../parts/dialog.js'
import { realmHeader } from './realm-header.js'
import * as api from '../lib/api.js'

const space = 'http://www.w3.org/2000/svg'
const width = 240
const line = 20

/** Shows the realm at `parameters.path`. */
export async function schema(place, { parameters, signal }) {
  const { path } = parameters
  const { classes = [] } = await api.realm(path, {}, signal)
  const source = h('pre', { class: 'source', tabindex: 0, hidden: true })
  const languages = h('select', { 'aria-label': 'Language' }, api.languages.map(([value, name]) => h('option', { value }, name)))
  const show = async () => {
    source.textContent = (await api.modelClasses(path, languages.value)).source
    source.hidden = false
  }
  const again = () => schema(place, { parameters, signal })
  const mayAdd = scope().kind !== 'user' && !scope().isReadOnly
  const names = classes.map(({ name }) => name).filter((name) => !name.startsWith('__'))
  // Lists of objects' permissions are properties as others are.
  const targets = ['', ...names, ...classes.filter(({ name }) => name === '__Permission').map(({ name }) => name)]
  fill(place, realmHeader(path, 'schema', languages, button('Model classes', show), mayAdd && [button('Add a class', () => addClass(path, again)), names.length > 0 && button('Add a property', () => addProperty(path, names, targets, again))]), source,
    h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Diagram of classes' }, classes.length ? diagram(classes) : h('p', { class: 'none' }, 'This realm has no classes yet.')))
}

const types = ['string', 'int', 'bool', 'double', 'float', 'date', 'data', 'objectId', 'UUID', 'decimal128', 'any', 'object']

/** A class begins with its primary key; other properties are added one by one. */
const addClass = (path, done) => ask({
  title: 'Add a class', confirm: 'Add', text: 'Apps that do not know the class go on. It cannot be removed here.',
  fields: [
    { name: 'name', label: 'Name', required: true }, { name: 'kind', label: 'Kind', options: [['topLevel', 'Objects that stand by themselves'], ['embedded', 'Embedded in one parent']] },
    { name: 'key', label: 'First property, the primary key of objects that stand by themselves', value: '_id', required: true },
    { name: 'type', label: 'Its type', options: ['objectId', 'string', 'int', 'UUID'] },
  ],
  action: async ({ name, kind, key, type }) => {
    await api.addSchema(path, [{ name, kind, ...(kind === 'embedded' ? {} : { primaryKey: key }), properties: [{ name: key, type }] }])
    say(`The class ${name} is there.`)
    await done()
  },
})

const addProperty = (path, names, targets, done) => ask({
  title: 'Add a property', confirm: 'Add', text: 'Objects that are there get null, or the neutral value of the type. It cannot be removed here.',
  fields: [
    { name: 'of', label: 'Class', options: names }, { name: 'name', label: 'Name', required: true }, { name: 'type', label: 'Type', options: types },
    { name: 'target', label: 'Class that a link leads to (type object)', options: targets },
    { name: 'collection', label: 'One value or many', options: ['single', 'list', 'set', 'dictionary'] },
    { name: 'isOptional', label: 'May be null', type: 'checkbox' }, { name: 'isIndexed', label: 'Indexed', type: 'checkbox' },
  ],
  action: async ({ of, target, ...property }) => {
    await api.addSchema(path, [{ name: of, properties: [{ ...property, ...(property.type === 'object' ? { target } : {}) }] }])
    say(`${of} has ${property.name}.`)
    await done()
  },
})

/** Boxes in columns; an arrow for each property that leads to a class. */
function diagram(classes) {
  const columns = Math.max(1, Math.min(4, Math.ceil(Math.sqrt(classes.length))))
  const heights = Array(columns).fill(20)
  const boxes = new Map()
  for (const type of classes) {
    const column = heights.indexOf(Math.min(...heights))
    const height = (type.properties.length + 1) * line + 14
    boxes.set(type.name, { x: 20 + column * (width + 70), y: heights[column], height, type })
    heights[column] += height + 36
  }
  const svg = node('svg', { class: 'diagram', width: 20 + columns * (width + 70), height: Math.max(...heights), role: 'img', 'aria-label': 'Classes and links' })
  const head = node('marker', { id: 'head', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' }, node('path', { d: 'M0 0 8 4 0 8Z' }))
  svg.append(node('defs', {}, head))
  for (const box of boxes.values()) {
    box.type.properties.forEach((property, index) => {
      const target = boxes.get(property.target)
      if (!target || property.type === 'linkingObjects') return
      // From the edge that is nearer to the target; within a column along the right.
      const [out, into] = target.x > box.x ? [1, 0] : target.x < box.x ? [0, 1] : [1, 1]
      const [x1, y1] = [box.x + out * width, box.y + (index + 1.5) * line + 8]
      const [x2, y2] = [target.x + into * width, target.y + line / 2 + 4]
      const [bend1, bend2] = [x1 + (out ? 45 : -45), x2 + (into ? 45 : -45)]
      svg.append(node('path', { class: 'arrow', d: `M${x1} ${y1} C${bend1} ${y1} ${bend2} ${y2} ${x2} ${y2}`, 'marker-end': 'url(#head)' }))
    })
  }
  for (const box of boxes.values()) svg.append(...drawn(box))
  return svg
}

function drawn({ x, y, height, type }) {
  const text = (value, index, kind) => node('text', { x: x + 12, y: y + index * line + 16, class: kind }, document.createTextNode(value))
  const list = { list: '[]', set: '{}', dictionary: '{:}', single: '' }
  return [
    node('rect', { x, y, width, height, rx: 6, class: type.kind === 'embedded' ? 'embedded' : 'class' }),
    text(type.name + (type.kind === 'embedded' ? ' (embedded)' : ''), 0, 'name'),
    ...type.properties.map((property, index) => text(
      `${property.name}: ${property.target ?? property.type}${list[property.collection]}${property.isOptional ? '?' : ''}${property.name === type.primaryKey ? '  key' : property.isIndexed ? '  indexed' : ''}`,
      index + 1, 'property')),
  ]
}

function node(tag, attributes, ...children) {
  const element = document.createElementNS(space, tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}
