import { createHash } from 'node:crypto'
import { TenantGate } from '#platform/tenant-gate'
import { type DocumentContent, renderDocument } from './document.ts'

/** An order of hundreds of lines takes seconds. Whoever has the link may ask for it as often as they like. */
const RENDERINGS = { ofTenant: 1, atOnce: 2, waiting: 200 }
/** A few of the longest documents, or hundreds of ordinary ones. */
const MOST_BYTES = 8_000_000

/** Renders a tenant's documents one after the other, and keeps the last ones for whoever asks again. */
export class RenderedDocuments {
  readonly #gate = new TenantGate(RENDERINGS)
  readonly #kept = new Map<string, Buffer>()
  #bytes = 0

  async render(content: DocumentContent): Promise<Buffer> {
    const key = keyOf(content)
    return this.#gate.run(
      content.view.businessId,
      async () => this.#kept.get(key) ?? this.#keep(key, await renderDocument(content)),
    )
  }

  #keep(key: string, document: Buffer): Buffer {
    this.#kept.set(key, document)
    this.#bytes += document.length
    for (const [oldest, { length }] of this.#kept) {
      if (this.#bytes <= MOST_BYTES) break
      this.#kept.delete(oldest)
      this.#bytes -= length
    }
    return document
  }
}

/** The same for contents that show the same: nothing of a document depends on the moment at which it is asked for. */
function keyOf({ view, customerName, timeZone, paymentLink, language }: DocumentContent): string {
  const { businessId, businessName, order, transactions } = view
  const shown = {
    businessId,
    businessName,
    order,
    transactions,
    customerName,
    timeZone,
    paymentLink,
    language,
  }
  const text = JSON.stringify(shown, (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  return createHash('sha256').update(text).digest('base64url')
}
