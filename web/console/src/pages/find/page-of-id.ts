import type { Api } from '#app/api.ts'
import { writeFilter } from '#components/list/filter-language.ts'

interface Place {
  readonly to: string
  readonly search: { readonly filter?: string; readonly query?: string }
}

/** How many of the newest events are read for one that was delivered to nobody. */
const MAX_EVENTS = 1_000

const page =
  (path: string) =>
  (id: string): Place => ({ to: `${path}/${id}`, search: {} })

const list =
  (to: string, field = 'id') =>
  (id: string): Place => ({ to, search: { filter: writeFilter([{ field, comparator: '=', values: [id] }]) } })

/** The page of an object, by the prefix of its id. An object without a page of its own is found in its list. */
const PLACES: Readonly<Record<string, (id: string) => Place>> = {
  ord: page('/orders'),
  txn: page('/transactions'),
  cus: page('/customers'),
  pln: page('/plans'),
  crd: page('/cards'),
  wal: page('/wallets'),
  dsp: page('/disputes'),
  rec: page('/reconciliations'),
  bke: page('/bank-entries'),
  bst: page('/bank-statements'),
  req: page('/requests'),
  dlv: list('/deliveries'),
  whe: list('/settings/webhooks'),
  acc: list('/settings/acquirers'),
  key: list('/settings/api-keys'),
  app: list('/settings/api-keys', 'app_id'),
  aud: list('/audit'),
  usr: () => ({ to: '/settings/people', search: {} }),
  len: page('/settings/legal-entities'),
  txr: list('/settings/tax-rates'),
}

/** Where an id is shown. Every other text is searched for. */
export async function pageOfId(api: Api, text: string): Promise<Place> {
  const id = text.trim()
  const prefix = /^([a-z]+)_[0-9a-z]+$/.exec(id)?.[1] ?? ''
  if (prefix === 'inv') return invoiceOrInvitation(api, id)
  const objectId = prefix === 'evt' ? await objectOfEvent(api, id) : undefined
  if (objectId !== undefined) return page(`/events/${encodeURIComponent(objectId)}`)(id)
  return PLACES[prefix]?.(id) ?? { to: '/search', search: { query: id } }
}

/** Invoices and invitations have the same prefix. */
async function invoiceOrInvitation({ can, quittance }: Api, id: string): Promise<Place> {
  const { data } = can('billing:read')
    ? await quittance.invoices.list({ filter: `id = ${id}`, limit: 1 })
    : { data: [] }
  return data.length > 0 ? page('/invoices')(id) : { to: '/settings/people', search: {} }
}

/** The API finds an event through its object. Its deliveries name the object, and so do the newest events. */
async function objectOfEvent({ quittance }: Api, id: string): Promise<string | undefined> {
  const { data } = await quittance.deliveries.list({ event_id: id, limit: 1 })
  const [delivery] = data
  if (delivery !== undefined) return delivery.object_id
  const newest = await quittance.events.list({ limit: 100 }).toArray({ limit: MAX_EVENTS })
  return newest.find((event) => event.id === id)?.object_id
}
