import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import type { Api } from '#app/api.ts'
import { useApiQuery } from '#components/loaded.tsx'
import { type Invoice, isIssued } from '#pages/invoices/invoice-list.tsx'

const SHOWN = 8
const CUSTOMERS = 8
const PAUSE_MS = 200

/** Open invoices of a currency by their number or payment reference, the reference of their order, or the name of their customer. */
export function useOpenInvoices(text: string, currency: string) {
  const [query] = useDebouncedValue(text.trim(), PAUSE_MS)
  return useApiQuery(
    ['invoices', 'open', currency, query],
    (api, signal) => findOpen(api, query, currency, signal),
    { placeholderData: keepPreviousData },
  )
}

async function findOpen(api: Api, text: string, currency: string, signal: AbortSignal): Promise<Invoice[]> {
  const { quittance } = api
  const value = `"${text.replace(/["\\]/g, '\\$&')}"`
  const read = async (condition?: string) => {
    const filter = ['type = invoice', 'state = open', `currency = ${currency}`, condition]
      .filter((part) => part !== undefined)
      .join(' AND ')
    const { data } = await quittance.invoices.list({ filter, limit: SHOWN }, { signal })
    return data.filter(isIssued)
  }
  if (text === '') return read()
  const byOrder = async () => {
    if (!api.can('payments:read')) return []
    const { data } = await quittance.orders.list(
      { filter: `reference_number = ${value}`, limit: 1 },
      { signal },
    )
    return data[0] === undefined ? [] : read(`order_number = ${data[0].number}`)
  }
  const byCustomer = async () => {
    if (!api.can('customers:read')) return []
    const { data } = await quittance.customers.list(
      { filter: `name : ${value}`, limit: CUSTOMERS },
      { signal },
    )
    const uuids = data.map(({ uuid }) => `customer.uuid = ${uuid}`)
    return uuids.length === 0 ? [] : read(`(${uuids.join(' OR ')})`)
  }
  const found = await Promise.all([
    read(`number : ${value}`),
    read(`payment_reference = "${text.replaceAll(/[\s"\\]/g, '').toUpperCase()}"`),
    byOrder(),
    byCustomer(),
  ])
  return [...new Map(found.flat().map((invoice) => [invoice.id, invoice])).values()].slice(0, SHOWN)
}
