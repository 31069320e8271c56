import { html, type Html } from '#platform/http/html'

const CARD = html`<rect x="0.5" y="0.5" width="37" height="23" rx="3.5" fill="#fff" stroke="#d9dade" />`

export const BRAND_SHAPES: Readonly<Record<string, Html>> = {
  visa: html`${CARD}${letters('VISA', { x: 5, y: 16.6, width: 28, size: 13, fill: '#1434cb', isItalic: true })}`,
  mastercard: html`${CARD}<circle cx="15" cy="12" r="7" fill="#eb001b" />
    <circle cx="23" cy="12" r="7" fill="#f79e1b" />
    <path d="M19 6.255a7 7 0 0 1 0 11.49a7 7 0 0 1 0-11.49" fill="#ff5f00" />`,
  amex: html`<rect
      width="38"
      height="24"
      rx="4"
      fill="#006fcf"
    />${letters('AMEX', { x: 4, y: 15.8, width: 30, size: 11 })}`,
  unionpay: html`${CARD}<path d="M11 3h8l-4 18H7a2 2 0 0 1-2-2.5l3-13.5a2.6 2.6 0 0 1 3-2" fill="#e21836" />
    <path d="M18 3h8l-4 18h-8z" fill="#00447c" />
    <path d="M25 3h6a2 2 0 0 1 2 2.5l-3 13.5a2.6 2.6 0 0 1-2.5 2h-6.5z" fill="#007b84" />
    ${letters('UnionPay', { x: 7.5, y: 14.2, width: 23, size: 6.2, isItalic: true })}`,
  jcb: html`${CARD}<path d="M7 7a4 4 0 0 1 4-4h2.5v14a4 4 0 0 1-4 4H7z" fill="#0e4c96" />
    <path d="M15.5 7a4 4 0 0 1 4-4H22v14a4 4 0 0 1-4 4h-2.5z" fill="#c8102e" />
    <path d="M24 7a4 4 0 0 1 4-4h2.5v14a4 4 0 0 1-4 4H24z" fill="#007b40" />
    ${letters('J', { x: 8.3, y: 14.7, width: 4, size: 7.5 })}${letters('C', { x: 16.5, y: 14.7, width: 4.6, size: 7.5 })}${letters('B', { x: 25, y: 14.7, width: 4.6, size: 7.5 })}`,
  discover: html`${CARD}<path d="M37.5 14v6a3.5 3.5 0 0 1-3.5 3.5H13Q29 21.5 37.5 14" fill="#f76f20" />
    ${letters('DISC', { x: 3.5, y: 13, width: 12, size: 6.5, fill: '#231f20' })}
    <circle cx="18.6" cy="10.7" r="2.7" fill="#f76f20" />
    ${letters('VER', { x: 21.9, y: 13, width: 10.5, size: 6.5, fill: '#231f20' })}`,
  diners: html`${CARD}<circle cx="19" cy="12" r="9" fill="#0069aa" />
    <circle cx="19" cy="12" r="7.4" fill="#fff" />
    <path d="M17.2 6.3v11.4a6 6 0 0 1 0-11.4m3.6 0v11.4a6 6 0 0 0 0-11.4" fill="#0069aa" />`,
}

interface Lettering {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly size: number
  readonly fill?: string
  readonly isItalic?: boolean
}

/** The width is set, because every system has another typeface. */
function letters(text: string, { x, y, width, size, fill = '#fff', isItalic = false }: Lettering): Html {
  const style = isItalic && html` font-style="italic"`
  return html`<text
    x="${x}"
    y="${y}"
    textLength="${width}"
    lengthAdjust="spacingAndGlyphs"
    font-size="${size}"
    font-weight="800"
    fill="${fill}"
    ${style}
    >${text}</text
  >`
}
