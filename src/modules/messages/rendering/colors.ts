import { readableOn, textOn } from '#kernel/readable-color'

/** The paper and the ground of `layout.mjml`, which are those of the hosted pages. */
const SURFACES = { light: ['#ffffff', '#f6f6f4'], dark: ['#202226', '#16171a'] } as const
const DEFAULT_COLOR = '#1d4f8f'

interface MailColors {
  readonly accent: string
  readonly darkAccent: string
  readonly onDarkAccent: string
  readonly button: string
  readonly onButton: string
}

/** The colours of a mail. On a dark surface the button has the lightened colour, because a dark one could not be seen there. */
export function mailColors(color: string | null): MailColors {
  const button = color ?? DEFAULT_COLOR
  const darkAccent = readableOn(button, SURFACES.dark, '#ffffff')
  return {
    accent: readableOn(button, SURFACES.light, '#000000'),
    darkAccent,
    onDarkAccent: textOn(darkAccent),
    button,
    onButton: textOn(button),
  }
}
