import { Worker } from 'node:worker_threads'
import type { DocumentTexts } from './document-texts.ts'
import type { DrawingResult, DrawingRequest } from './drawing-worker.ts'

/**
 * Draws documents in a worker thread. A document of hundreds of lines takes seconds of CPU and would block the service, and
 * so every card decision, for up to 300 ms at a time. The thread needs 60 MB and starts with the first document. A new one
 * replaces a thread that died. The thread does not keep the process running.
 */
export class DrawingThread {
  #thread: Worker | null = null
  readonly #pending = new Map<number, PromiseWithResolvers<Buffer>>()
  #lastNumber = 0

  async draw(texts: DocumentTexts): Promise<Buffer> {
    this.#thread ??= this.#start()
    const number = ++this.#lastNumber
    const outcome = Promise.withResolvers<Buffer>()
    this.#pending.set(number, outcome)
    this.#thread.postMessage({ number, texts } satisfies DrawingRequest)
    return outcome.promise
  }

  #start(): Worker {
    const thread = new Worker(new URL('./drawing-worker.ts', import.meta.url))
    thread.on('message', (result: DrawingResult) => this.#settle(result))
    // An `error` without a listener would end the service. `exit` follows and rejects what is pending.
    let cause: unknown
    thread.on('error', (error) => (cause = error))
    thread.on('exit', () => {
      this.#thread = null
      const error = new Error('the thread that draws documents has ended', { cause })
      for (const number of this.#pending.keys()) this.#settle({ number, error })
    })
    // Comes last, because each listener makes the thread keep the process running again.
    thread.unref()
    return thread
  }

  #settle(result: DrawingResult): void {
    const outcome = this.#pending.get(result.number)
    this.#pending.delete(result.number)
    if ('error' in result) outcome?.reject(result.error)
    else outcome?.resolve(Buffer.from(result.pdf.buffer, result.pdf.byteOffset, result.pdf.byteLength))
  }
}

/** One thread draws all documents of a process. */
export const drawingThread = new DrawingThread()
