import { createHash } from 'node:crypto'
import { TenantLimiter } from '#platform/postgres/tenant-limiter'
import { type DocumentContent, documentOf, type DocumentTexts } from './document.ts'
import { DrawingThread } from './drawing-thread.ts'

/** An order of hundreds of lines takes seconds. Whoever has the link may ask for it as often as they like. */
const RENDERINGS = { perTenant: 1, total: 2, waitingPerTenant: 200 }
/** A few of the longest documents, or hundreds of ordinary ones. */
const MAX_BYTES = 8_000_000

/** Renders a tenant's documents one after the other, and keeps the last ones for whoever asks again. */
export class RenderedDocuments {
  readonly #gate = new TenantLimiter(RENDERINGS)
  readonly #drawing = new DrawingThread()
  readonly #kept = new Map<string, Buffer>()
  #bytes = 0

  async render(content: DocumentContent): Promise<Buffer> {
    const texts = documentOf(content)
    const key = keyOf(texts)
    return this.#gate.run(
      content.view.businessId,
      async () => this.#kept.get(key) ?? this.#keep(key, await this.#drawing.draw(texts)),
    )
  }

  #keep(key: string, document: Buffer): Buffer {
    this.#kept.set(key, document)
    this.#bytes += document.length
    for (const [oldest, { length }] of this.#kept) {
      if (this.#bytes <= MAX_BYTES) break
      this.#kept.delete(oldest)
      this.#bytes -= length
    }
    return document
  }
}

/** Nothing of a document depends on the moment at which it is asked for. */
function keyOf(texts: DocumentTexts): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64url')
}
