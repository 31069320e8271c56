import { parentPort } from 'node:worker_threads'
import type { DocumentTexts } from './document-texts.ts'
import { drawDocument } from './draw-document.ts'

export interface DrawingRequest {
  readonly number: number
  readonly texts: DocumentTexts
}

export type DrawingResult =
  | { readonly number: number; readonly pdf: Uint8Array }
  | { readonly number: number; readonly error: unknown }

parentPort?.on('message', ({ number, texts }: DrawingRequest) => {
  const send = (result: DrawingResult) => parentPort?.postMessage(result)
  drawDocument(texts).then(
    (pdf) => send({ number, pdf }),
    (error: unknown) => send({ number, error }),
  )
})
