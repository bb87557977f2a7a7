// Small plots of the last minutes.
const space = 'http://www.w3.org/2000/svg'

/** A line over the last `size` values, with its newest value as text for screen readers. */
export function plot(label, { size = 120, format = String } = {}) {
  const values = []
  const svg = document.createElementNS(space, 'svg')
  svg.setAttribute('viewBox', `0 0 ${size - 1} 40`)
  svg.setAttribute('preserveAspectRatio', 'none')
  svg.setAttribute('class', 'plot')
  svg.setAttribute('role', 'img')
  const line = document.createElementNS(space, 'polyline')
  svg.append(line)
  return Object.assign(svg, {
    push(value) {
      values.push(value)
      if (values.length > size) values.shift()
      const top = Math.max(...values, 1e-9)
      line.setAttribute('points', values.map((v, i) =>
        `${size - values.length + i},${(38 - (v / top) * 36).toFixed(1)}`).join(' '))
      svg.setAttribute('aria-label', `${label}: ${format(value)}, at most ${format(top)}`)
    },
  })
}
