// Addresses within the page: `#/realms/data?path=/~/todo&class=Item`.

/** The current address as its parts and its parameters. */
export function address() {
  const text = location.hash.replace(/^#\/?/, '')
  const cut = text.indexOf('?')
  const path = cut < 0 ? text : text.slice(0, cut)
  return {
    parts: path.split('/').filter(Boolean).map(decodeURIComponent),
    parameters: Object.fromEntries(new URLSearchParams(cut < 0 ? '' : text.slice(cut + 1))),
  }
}

/** The text of an address; parameters that are empty are left out. */
export function link(path, parameters = {}) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value != null && value !== ''))
  return `#/${path}${query.size ? `?${query}` : ''}`
}

/** Goes to an address; `replace` leaves no step back. */
export function go(path, parameters, { replace = false } = {}) {
  const hash = link(path, parameters)
  if (replace) {
    history.replaceState(null, '', hash)
  } else if (location.hash !== hash) {
    location.hash = hash
  }
}
