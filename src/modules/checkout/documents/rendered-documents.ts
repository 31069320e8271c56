import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { DocumentTexts } from '#platform/documents/document-texts'
import { drawingThread } from '#platform/documents/drawing-thread'
import { TenantLimiter } from '#platform/postgres/tenant-limiter'
import { type DocumentContent, documentOf } from './document.ts'

/** A document of hundreds of lines takes seconds to draw, and anyone with its link can ask for it at any rate. */
const LIMITS = { perTenant: 1, total: 2, waitingPerTenant: 200 }
/** For payers who open a document again. */
const MAX_KEPT_BYTES = 8_000_000

export class RenderedDocuments {
  readonly #limiter = new TenantLimiter(LIMITS)
  readonly #drawn = new LRUCache<string, Buffer>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ length }) => length,
  })

  async render(content: DocumentContent): Promise<Buffer> {
    const texts = documentOf(content)
    const key = keyOf(texts)
    return this.#limiter.run(content.view.businessId, async () => {
      const drawn = this.#drawn.get(key) ?? (await drawingThread.draw(texts))
      this.#drawn.set(key, drawn)
      return drawn
    })
  }
}

function keyOf(texts: DocumentTexts): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64url')
}
