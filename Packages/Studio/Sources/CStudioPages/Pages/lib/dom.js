// Elements from data. Text becomes text nodes only, so that no value can become markup.

/**
 * An element with properties and children.
 *
 * Names that begin with `on` are listeners, `class` is the class attribute, a value of `false`, `null` or `undefined` leaves the
 * attribute out, `true` sets it empty. Children are nodes, texts, numbers, lists of these, or nothing.
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else if (name === 'value' || name === 'checked' || name === 'selected') element[name] = value
    else if (value === true) element.setAttribute(name, '')
    else if (value !== false && value != null) element.setAttribute(name, String(value))
  }
  append(element, children)
  return element
}

/** Appends children as `h` does. */
export function append(element, ...children) {
  for (const child of children.flat(Infinity)) {
    if (child == null || child === false) continue
    element.append(child instanceof Node ? child : document.createTextNode(String(child)))
  }
}

/** Replaces all children of an element. */
export function fill(element, ...children) {
  element.replaceChildren()
  append(element, ...children)
  return element
}

/** A button that runs an action, is off while the action runs, and reports what it throws. */
export function button(label, action, attributes = {}) {
  const element = h('button', { type: 'button', ...attributes }, label)
  element.addEventListener('click', async () => {
    element.disabled = true
    try { await action() } catch (error) { report(error) } finally { element.disabled = false }
  })
  return element
}

/** Calls an action once no call came for `delay` milliseconds, or by `now()` at once; what it throws is reported. */
export function later(delay, action) {
  let timer
  const run = () => { Promise.resolve().then(action).catch(report) }
  return Object.assign(() => {
    clearTimeout(timer)
    timer = setTimeout(run, delay)
  }, { now() { clearTimeout(timer); run() } })
}

/** Shows a sentence for some seconds, with a button for an `action` as `[label, run]`; screen readers announce it. */
export function say(text, kind = 'done', action = null) {
  let region = document.querySelector('#messages')
  if (!region) document.body.append((region = h('div', { id: 'messages', role: 'status', 'aria-live': 'polite' })))
  const message = h('p', { class: kind }, text, action && [' ', button(action[0], async () => { message.remove(); await action[1]() })])
  region.append(message)
  while (region.children.length > 3) region.firstChild.remove()
  setTimeout(() => message.remove(), action || kind === 'error' ? 12_000 : 4_000)
}

/** Shows an error. */
export function report(error) {
  if (error?.name === 'AbortError') return
  say(error?.message ?? String(error), 'error')
}
