/** WCAG 2.2, success criterion 1.4.3. */
const READABLE = 4.5
/** Small enough to keep most of the color, in at most 25 steps. */
const STEP = 0.04

/** A colour (`#rrggbb`) that is readable on all surfaces: mixed with `toward` as little as that needs. */
export function readableOn(color: string, surfaces: readonly string[], toward: string): string {
  let readable = color
  for (let share = 0; share < 1; share += STEP) {
    readable = mix(color, toward, share)
    if (surfaces.every((surface) => contrast(readable, surface) >= READABLE)) return readable
  }
  return toward
}

/** White or black, which can be read on this colour: one of them always reaches 4.58. */
export function textOn(color: string): string {
  return contrast(color, '#ffffff') >= READABLE ? '#ffffff' : '#000000'
}

export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function mix(color: string, toward: string, share: number): string {
  const target = channels(toward)
  const mixed = channels(color).map((channel, index) =>
    Math.round(channel + ((target[index] ?? 0) - channel) * share),
  )
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
}
