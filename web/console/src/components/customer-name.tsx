import type { Api } from '#app/api.ts'
import { useApi } from '#app/shell-context.ts'
import { useApiQuery } from '#components/loaded.tsx'

const NAMES_KEPT_MS = 60_000
/** Rows that are drawn together ask within this time. */
const BATCH_MS = 5
/** Their comparisons fit into the 1,000 characters of a filter. */
const BATCH_SIZE = 20

/** The name of a customer in a list. Names of several rows are read together. Who may not read customers sees the id. */
export function CustomerName({ uuid }: { readonly uuid: string | null | undefined }) {
  const api = useApi()
  const isKnown = uuid !== null && uuid !== undefined
  const mayRead = api.can('customers:read')
  const { data, isError } = useApiQuery(['customer_names', uuid], (reader) => nameOf(reader, uuid ?? ''), {
    enabled: isKnown && mayRead,
    staleTime: NAMES_KEPT_MS,
  })
  if (!isKnown) return '—'
  return <span title={uuid}>{data ?? (mayRead && !isError ? '' : uuid)}</span>
}

type Batch = Map<string, { resolve: (name: string) => void; reject: (error: unknown) => void }[]>
const batches = new WeakMap<Api, Batch>()

function nameOf(api: Api, uuid: string): Promise<string> {
  const batch = batches.get(api) ?? startBatch(api)
  return new Promise((resolve, reject) => {
    const waiting = batch.get(uuid) ?? []
    waiting.push({ resolve, reject })
    batch.set(uuid, waiting)
  })
}

function startBatch(api: Api): Batch {
  const batch: Batch = new Map()
  batches.set(api, batch)
  setTimeout(() => {
    batches.delete(api)
    const entries = [...batch]
    for (let start = 0; start < entries.length; start += BATCH_SIZE) {
      void readNames(api, new Map(entries.slice(start, start + BATCH_SIZE)))
    }
  }, BATCH_MS)
  return batch
}

async function readNames({ quittance }: Api, batch: Batch): Promise<void> {
  try {
    const filter = [...batch.keys()].map((uuid) => `uuid = ${uuid}`).join(' OR ')
    const { data } = await quittance.customers.list({ filter, limit: BATCH_SIZE })
    const names = new Map(data.map((customer) => [customer.uuid, customer.name ?? customer.reference_number]))
    for (const [uuid, waiting] of batch) {
      for (const { resolve } of waiting) resolve(names.get(uuid) ?? uuid)
    }
  } catch (error) {
    for (const { reject } of [...batch.values()].flat()) reject(error)
  }
}
