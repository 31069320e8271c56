import { readableOn, textOn } from '#kernel/readable-color'

/** `--paper` and `--ground` of platform/http/palette.css, on which links and buttons stand. */
const SURFACES = { light: ['#ffffff', '#f6f6f4'], dark: ['#202226', '#16171a'] } as const

/**
 * A stylesheet that gives the page the merchant's colour (`#rrggbb`). Buttons have the colour itself with a black or white
 * text. Links are darkened, or lightened on a dark page, until they are readable.
 */
export function themeOf(color: string): string {
  const onButton = textOn(color)
  const light = readableOn(color, SURFACES.light, '#000000')
  const dark = readableOn(color, SURFACES.dark, '#ffffff')
  return (
    `:root{--accent:${light};--button:${color};--on-button:${onButton}}` +
    `@media (prefers-color-scheme:dark){:root{--accent:${dark}}}\n`
  )
}
