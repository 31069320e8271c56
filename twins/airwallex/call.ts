import type { Body } from './body.ts'
import type { Settings } from './settings.ts'
import type { Tx } from './store.ts'

/** `id` is the one in the path, or ''. */
export interface Call {
  readonly tx: Tx
  readonly id: string
  readonly body: Body
  readonly query: URLSearchParams
  readonly requestId: string
  readonly origin: string
  readonly settings: Settings
  readonly upload: { readonly name: string; readonly content: Buffer } | null
}
