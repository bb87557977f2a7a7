// The query line: completion of properties and operators, the mistake under its very character, help behind `?`.
import { h, fill, later } from '../lib/dom.js'

const operators = ['==', '!=', '<', '<=', '>', '>=', 'BEGINSWITH', 'ENDSWITH', 'CONTAINS', 'LIKE', 'IN', 'BETWEEN', 'AND', 'OR', 'NOT',
  'ANY', 'ALL', 'NONE', 'SORT(', 'DISTINCT(', 'LIMIT(', '@count', '@size', 'true', 'false', 'null']

const examples = [
  ['age > 18', 'numbers compare with <, <=, ==, !=, >=, >'], ['name BEGINSWITH[c] "a"', 'texts; [c] ignores case'],
  ['owner.name == "Ann"', 'a property of a linked object'], ['ANY tags == "red"', 'some element of a collection'],
  ['children.@count > 2', 'the number of elements'], ['born > 2020-01-31@12:00:00', 'points in time'],
  ['age BETWEEN {18, 30} OR NOT isActive', 'combinations'], ['TRUEPREDICATE SORT(age DESC) LIMIT(10)', 'order and number'],
]

/** The bar as an element, with completion along links to `classes`; `problem(error)` marks a mistake, null takes the mark away. */
export function queryBar({ type, classes, value, onChange }) {
  const id = `completions-${type.name}`
  const input = h('input', {
    type: 'search', value, spellcheck: 'false', placeholder: `Query, such as ${type.properties[0]?.name ?? 'name'} == …`, 'aria-label': 'Query',
    'aria-autocomplete': 'list', 'aria-controls': id, autocomplete: 'off',
  })
  const mark = h('div', { class: 'mark mono', role: 'alert' })
  const options = h('ul', { id, class: 'completions', role: 'listbox', hidden: true })
  const help = h('details', { class: 'help' }, h('summary', { 'aria-label': 'Help with queries' }, '?'),
    h('dl', {}, examples.map(([text, meaning]) => [h('dt', { class: 'mono' }, text), h('dd', {}, meaning)])))
  let chosen = 0
  let found = []

  const word = () => input.value.slice(0, input.selectionStart).match(/[\w.@]+$/)?.[0] ?? ''
  const change = later(250, () => onChange(input.value.trim()))

  function complete() {
    const start = word().toLowerCase()
    // Behind a point the properties of the class to which the link before it leads.
    const steps = word().split('.').slice(0, -1)
    const end = steps.reduce((at, step) => {
      const target = at?.properties.find(({ name }) => name === step)?.target
      return classes.find(({ name }) => name === target)
    }, type)
    const before = steps.map((step) => `${step}.`).join('')
    const names = (end?.properties ?? []).map(({ name }) => before + name)
    found = start ? [...names, ...(steps.length ? ['@count', '@size', '@min', '@max', '@sum', '@avg'].map((name) => before + name) : operators)].filter((name) => name.toLowerCase().startsWith(start) && name.toLowerCase() !== start).slice(0, 8) : []
    chosen = 0
    draw()
  }

  function draw() {
    options.hidden = !found.length
    fill(options, found.map((name, index) => h('li', {
      role: 'option', 'aria-selected': index === chosen, onmousedown: (event) => { event.preventDefault(); take(name) },
    }, name)))
  }

  function take(name) {
    const end = input.selectionStart
    const start = end - word().length
    input.setRangeText(name, start, end, 'end')
    found = []
    draw()
    change()
  }

  input.addEventListener('input', () => { complete(); change() })
  input.addEventListener('blur', () => { found = []; draw() })
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') {
      found = []
      draw()
      return change.now()
    }
    if (!found.length) return
    if (event.key === 'ArrowDown') chosen = (chosen + 1) % found.length
    else if (event.key === 'ArrowUp') chosen = (chosen + found.length - 1) % found.length
    else if (event.key === 'Tab') take(found[chosen])
    else if (event.key === 'Escape') found = []
    else return
    event.preventDefault()
    draw()
  })

  return Object.assign(h('div', { class: 'query' }, input, help, options, mark), {
    problem(error) {
      input.setAttribute('aria-invalid', error ? 'true' : 'false')
      if (!error) return fill(mark)
      // The server says where, from 1; without that the sentence alone is shown.
      const column = error.extensions?.column ?? Number(error.message.match(/column (\d+)/)?.[1] ?? 0)
      fill(mark, column > 0 ? `${' '.repeat(column - 1)}^ ${error.message}` : error.message)
    },
  })
}
