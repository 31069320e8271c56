import { useApiQuery } from '#components/loaded.tsx'
import { type Invoice, isIssued } from '#pages/invoices/invoice-list.tsx'

const MAX_NOTES = 1_000

/** The credit notes of an invoice. Undefined until they are read. */
export function useNotesOf({ id }: Invoice, enabled = true): readonly Invoice[] | undefined {
  const { data } = useApiQuery(
    ['invoices', id, 'notes'],
    (api, signal) =>
      api.quittance.invoices
        .list({ filter: `invoice_id = ${id}`, limit: 100 }, { signal })
        .toArray({ limit: MAX_NOTES }),
    { enabled },
  )
  return data?.filter(isIssued)
}
