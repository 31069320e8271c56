import { eventTypesOf } from '#platform/testing/events'
import type { Fixture } from './fixture.ts'
import { openTaxShop } from './taxes.ts'

const PAGE = { list: 'invoices', offset: 0, limit: 100, after: undefined }

/** A shop with tax and what its documents look like in JSON, oldest first. */
export async function openInvoiceShop(
  fixture: Fixture,
  start: string,
  options?: Parameters<typeof openTaxShop>[2],
) {
  const taxShop = await openTaxShop(fixture, start, options)
  const { caller } = taxShop
  const documents = async (filter?: string) => {
    const page = await fixture.invoices.page(caller, filter, PAGE)
    return inJson(page.invoices.toReversed())
  }
  const only = async () => {
    const [invoice] = await documents('type = "invoice"')
    if (invoice === undefined) throw new Error('there is no invoice')
    return invoice
  }
  const typesOf = (id: string) => eventTypesOf(fixture.db, caller.businessId, id)
  return { ...taxShop, documents, only, typesOf }
}

export function inJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value
}
