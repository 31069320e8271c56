/** `--paper` and `--ground` of checkout.css, on which links and buttons stand. */
const SURFACES = { light: ['#ffffff', '#f6f6f4'], dark: ['#202226', '#16171a'] } as const
/** WCAG 2.2, success criterion 1.4.3. */
const READABLE = 4.5
const STEP = 0.04

/**
 * A stylesheet that gives the page the merchant's colour (`#rrggbb`). Buttons have the colour itself with a black or white
 * text: one of them always reaches 4.58. Links are darkened, or lightened on a dark page, until they are readable.
 */
export function themeOf(color: string): string {
  const onButton = contrast(color, '#ffffff') >= READABLE ? '#ffffff' : '#000000'
  const light = readableOn(color, SURFACES.light, '#000000')
  const dark = readableOn(color, SURFACES.dark, '#ffffff')
  return (
    `:root{--accent:${light};--button:${color};--on-button:${onButton}}` +
    `@media (prefers-color-scheme:dark){:root{--accent:${dark}}}\n`
  )
}

function readableOn(color: string, surfaces: readonly string[], toward: string): string {
  let readable = color
  for (let share = 0; share < 1; share += STEP) {
    readable = mix(color, toward, share)
    if (surfaces.every((surface) => contrast(readable, surface) >= READABLE)) return readable
  }
  return toward
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
