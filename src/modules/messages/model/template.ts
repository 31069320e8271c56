import type { MessageKind } from './kinds.ts'

/** The business's own texts of a kind in a language; null where the built-in text stays. */
export interface MessageTemplate {
  readonly kind: MessageKind
  readonly language: string
  readonly subject: string | null
  readonly intro: string | null
  readonly outro: string | null
}
