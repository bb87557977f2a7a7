// The classes of a realm as a picture with their links, and as source text for apps.
import { h, fill, button } from '../lib/dom.js'
import { realmHeader } from './realm-header.js'
import * as api from '../lib/api.js'

const space = 'http://www.w3.org/2000/svg'
const width = 240
const line = 20

/** Shows the realm at `parameters.path`. */
export async function schema(place, { parameters, signal }) {
  const { path } = parameters
  const { classes = [] } = await api.realm(path, signal)
  const source = h('pre', { class: 'source', tabindex: 0, hidden: true })
  const languages = h('select', { 'aria-label': 'Language' }, api.languages.map(([value, name]) => h('option', { value }, name)))
  const show = async () => {
    source.textContent = (await api.modelClasses(path, languages.value)).source
    source.hidden = false
  }
  fill(place, realmHeader(path, 'schema', languages, button('Model classes', show)), source,
    h('div', { class: 'scroll', tabindex: 0, 'aria-label': 'Diagram of classes' }, classes.length ? diagram(classes) : h('p', { class: 'none' }, 'This realm has no classes yet.')))
}

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
      const [x1, y1] = [box.x + width, box.y + (index + 1.5) * line + 8]
      const [x2, y2] = [target.x, target.y + line / 2 + 4]
      svg.append(node('path', { class: 'arrow', d: `M${x1} ${y1} C${x1 + 50} ${y1} ${x2 - 50} ${y2} ${x2} ${y2}`, 'marker-end': 'url(#head)' }))
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
