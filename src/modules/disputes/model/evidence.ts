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

export type EvidenceRequest = Readonly<Record<string, string | EvidenceFileRequest | null>>

interface EvidenceFileRequest {
  readonly name: string
  readonly content_type: string
  readonly content: string
}
