import { parentPort } from 'node:worker_threads'
import type { DocumentTexts } from './document.ts'
import { drawDocument } from './draw-document.ts'

/** Runs beside the service: draws the documents that it is sent, and sends each back under its number. */
export interface DrawingRequest {
  readonly number: number
  readonly texts: DocumentTexts
}

export type DrawingResult =
  | { readonly number: number; readonly pdf: Uint8Array }
  | { readonly number: number; readonly error: unknown }

parentPort?.on('message', ({ number, texts }: DrawingRequest) => {
  const send = (drawn: DrawingResult) => parentPort?.postMessage(drawn)
  drawDocument(texts).then(
    (pdf) => send({ number, pdf }),
    (error: unknown) => send({ number, error }),
  )
})
