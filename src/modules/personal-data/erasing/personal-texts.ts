import { type Customer, customerErasure } from '#modules/customers'
import { billingDetails } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'

/** Texts that name the customer wherever they stand. Searches and reports of bounces name an address, and no object. */
export async function personalTexts(tx: Tx, customer: Customer): Promise<string[]> {
  const own = await customerErasure.personalTexts(tx, customer)
  const details = (await billingDetails(tx, [customer.uuid])).get(customer.uuid)
  const addresses = [details?.invoiceEmail ?? [], details?.cc ?? []].flat()
  return [...new Set([...own, ...addresses])]
}
