export type StagedEvidence =
  | { readonly name: string; readonly kind: 'text'; readonly text: string }
  | {
      readonly name: string
      readonly kind: 'file'
      readonly fileName: string
      readonly contentType: string
      readonly bytes: number
    }

export type NewEvidence =
  | { readonly name: string; readonly kind: 'text'; readonly text: string }
  | {
      readonly name: string
      readonly kind: 'file'
      readonly fileName: string
      readonly contentType: string
      readonly content: Buffer
    }
