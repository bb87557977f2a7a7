// Numbers and times as people read them.

const number = new Intl.NumberFormat('en')
const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

export const count = (value) => (value == null ? '–' : number.format(value))

/** A number of bytes in the largest unit in which it is at least 1. */
export function bytes(value) {
  if (value == null) return '–'
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let unit = 0
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000
    unit += 1
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}

/** A point in time from ISO text or milliseconds; `never` for none. */
export function when(value, none = 'never') {
  if (value == null || value === '') return none
  const date = new Date(value)
  return Number.isNaN(date.valueOf()) ? String(value) : time.format(date)
}

/** The time since a point in time, in one unit. */
export function since(value) {
  if (value == null) return 'never'
  const seconds = Math.max(0, (Date.now() - new Date(value)) / 1_000)
  for (const [length, name] of [[86_400, 'day'], [3_600, 'hour'], [60, 'minute']]) {
    if (seconds >= length) {
      const whole = Math.floor(seconds / length)
      return `${whole} ${name}${whole === 1 ? '' : 's'} ago`
    }
  }
  return seconds < 5 ? 'now' : `${Math.floor(seconds)} seconds ago`
}

/** A text with its invisible characters shown, so that it cannot pretend to be another one. */
export function visible(text) {
  return String(text).replace(/[\u0000-\u001f\u007f]/g, (c) => String.fromCharCode(c === '\u007f' ? 0x2421 : 0x2400 + c.charCodeAt(0)))
    .replace(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, (c) => `\\u{${c.charCodeAt(0).toString(16)}}`)
}
