import { Worker } from 'node:worker_threads'
import type { DocumentTexts } from './document.ts'
import type { DrawingResult, DrawingRequest } from './drawing-worker.ts'

/**
 * Draws documents in a thread of its own: one of hundreds of lines takes seconds of a processor, of which the service, and
 * with it every card decision, would lose up to 300 ms at a time. The thread starts with the first document, so that a
 * service that makes none does without its 60 MB, and anew after one that died. It keeps no process running.
 */
export class DrawingThread {
  #thread: Worker | null = null
  readonly #underWay = new Map<number, PromiseWithResolvers<Buffer>>()
  #last = 0

  /** Rejects when the thread dies over it, as where it finds no memory. */
  async draw(texts: DocumentTexts): Promise<Buffer> {
    this.#thread ??= this.#start()
    const number = ++this.#last
    const outcome = Promise.withResolvers<Buffer>()
    this.#underWay.set(number, outcome)
    this.#thread.postMessage({ number, texts } satisfies DrawingRequest)
    return outcome.promise
  }

  #start(): Worker {
    const thread = new Worker(new URL('./drawing-worker.ts', import.meta.url))
    thread.on('message', (drawn: DrawingResult) => this.#settle(drawn))
    // Answered by the exit that follows; without a listener it would end the service.
    let cause: unknown
    thread.on('error', (error) => (cause = error))
    thread.on('exit', () => {
      this.#thread = null
      const error = new Error('the thread that draws documents has ended', { cause })
      for (const number of this.#underWay.keys()) this.#settle({ number, error })
    })
    // Last: each listener makes it keep the process running again.
    thread.unref()
    return thread
  }

  #settle(drawn: DrawingResult): void {
    const outcome = this.#underWay.get(drawn.number)
    this.#underWay.delete(drawn.number)
    if ('error' in drawn) outcome?.reject(drawn.error)
    else outcome?.resolve(Buffer.from(drawn.pdf.buffer, drawn.pdf.byteOffset, drawn.pdf.byteLength))
  }
}
