import type { Html } from '#platform/http/html'

type Shown = string | Html

interface LabelledValue {
  readonly label: string
  readonly value: string
}

/**
 * What `layout.mjml` shows. Texts are escaped where they are inserted; false leaves a part out.
 * - `start`, `end`: The sides at which lines of the language begin and end.
 * - `accent`, `darkAccent`: Of links, on light and on dark surfaces.
 */
export interface MailLayout {
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  readonly start: 'left' | 'right'
  readonly end: 'left' | 'right'
  readonly fonts: string
  readonly wordBreak: 'keep-all' | 'normal'
  readonly subject: string
  readonly preheader: string
  readonly accent: string
  readonly darkAccent: string
  readonly onDarkAccent: string
  readonly button: string
  readonly onButton: string
  readonly logo: string | false
  readonly business: Shown
  readonly testMode: string | false
  readonly title: Shown
  readonly amount: string | false
  readonly paragraphs: readonly Shown[]
  readonly action: { readonly url: string; readonly label: string } | false
  readonly otherAction: Shown | false
  readonly hasFacts: boolean
  readonly facts: readonly LabelledValue[]
  readonly hasLines: boolean
  readonly lines: readonly { readonly label: string; readonly amount: string }[]
  readonly sums: readonly LabelledValue[]
  readonly closing: readonly Shown[]
  readonly footer: readonly Shown[]
}
