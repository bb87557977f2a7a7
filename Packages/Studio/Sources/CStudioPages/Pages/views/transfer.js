// Data in and out: import of CSV, JSON and SQLite, export, both with progress.
import { h, fill, report } from '../lib/dom.js'
import { bytes } from '../lib/format.js'
import { follow } from '../parts/progress.js'
import { realmHeader } from './realm-header.js'
import * as api from '../lib/api.js'

/** Import into and export from the realm at `parameters.path`. */
export async function transfer(place, { parameters, signal }) {
  const { path } = parameters
  const { classes = [] } = await api.realm(path, {}, signal)
  const names = classes.filter((one) => one.kind !== 'embedded' && !one.name.startsWith('__')).map(({ name }) => name)
  const [exporting, importing] = [h('div', {}), h('div', {})]
  const field = (label, input, hint) => {
    input.setAttribute('aria-label', label)
    return h('label', {}, h('span', {}, label), input, hint && h('small', {}, hint))
  }

  const format = h('select', { onchange: draw }, [['json', 'JSON: everything, with the schema'], ['sqlite', 'SQLite: a table for each class'], ['csv', 'CSV: one class']].map(([value, label]) => h('option', { value }, label)))
  const type = h('select', {}, [['', 'All classes'], ...names.map((name) => [name, name])].map(([value, label]) => h('option', { value }, label)))
  const query = h('input', { class: 'mono', placeholder: 'All of them' })
  const queryField = field('Query', query)
  function draw() {
    queryField.hidden = format.value !== 'csv'
    if (format.value === 'csv' && !type.value && names.length) type.value = names[0]
  }

  async function exportRealm(event) {
    event.preventDefault()
    const options = { format: format.value, ...(type.value ? { class: type.value } : {}), ...(format.value === 'csv' && query.value ? { query: query.value } : {}) }
    await follow(exporting, () => api.startExport(path, options), signal, (task) => {
      if (task.state !== 'done' || task.file == null) return
      exporting.append(h('p', {}, h('a', { href: api.fileAddress(task.file), download: '', class: 'download' }, 'Save the file'), ' It is kept for an hour.'))
    })
  }

  const file = h('input', { type: 'file', accept: '.csv,.tsv,.json,.sqlite,.sqlite3,.db', required: true })
  const target = h('input', { list: 'import-classes', placeholder: 'As the file says' })
  const makes = h('input', { type: 'checkbox', checked: true })
  const key = h('input', { placeholder: 'None' })
  const skips = h('input', { type: 'checkbox' })

  async function importFile(event) {
    event.preventDefault()
    const chosen = file.files[0]
    if (!chosen) return
    await follow(importing, async (progress) => {
      const number = await api.upload(chosen, (share) => progress(share, `Sending ${bytes(chosen.size)}: ${Math.round(share * 100)} %`))
      return api.startImport(path, {
        file: number, makesClasses: makes.checked, skipsBadObjects: skips.checked, ...(target.value ? { class: target.value } : {}), ...(key.value ? { primaryKey: key.value } : {}),
      })
    }, signal)
  }

  fill(place, realmHeader(path, 'transfer'), h('div', { class: 'columns' },
    h('section', { class: 'card' }, h('h2', {}, 'Export'), h('form', { onsubmit: (event) => exportRealm(event).catch(report) }, field('Format', format), field('Class', type), queryField, h('footer', {}, h('button', { type: 'submit', class: 'main' }, 'Export'))), exporting),
    h('section', { class: 'card' }, h('h2', {}, 'Import'), h('p', {}, 'The whole file is read first: one that does not fit changes nothing. It is written in parts, between which others write; what is written stays when it is stopped. Objects whose keys exist get the fields that the file has.'),
      h('form', { onsubmit: (event) => importFile(event).catch(report) }, field('CSV, JSON or SQLite file', file), field('Class', target, 'Of a file that names none.'), h('datalist', { id: 'import-classes' }, names.map((value) => h('option', { value }))),
        field('Make classes that are missing', makes), field('Primary key of a new class', key), field('Leave out objects that do not fit', skips), h('footer', {}, h('button', { type: 'submit', class: 'main' }, 'Import'))), importing)))
  draw()
}
