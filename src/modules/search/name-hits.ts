import type { Caller } from '#platform/caller'
import { holdsScope } from '#platform/http/authorization'
import type { Scope } from '#platform/http/routes/route'
import type { Tx } from '#platform/postgres/database'
import type { SearchHit } from '#platform/search/search'
import type { SearchDependencies } from './dependencies.ts'

export interface NamedHit extends SearchHit {
  readonly customer: { readonly uuid: string; readonly name: string } | null
}

/** Kinds whose parent is an order. */
const OF_ORDERS: ReadonlySet<SearchHit['type']> = new Set(['transaction', 'invoice', 'dispute'])

/** Adds the references of orders and the names of customers, as far as the caller may read them. */
export async function nameHits(
  { customers, payments }: SearchDependencies,
  tx: Tx,
  { scopes }: Pick<Caller, 'scopes'>,
  hits: readonly SearchHit[],
): Promise<NamedHit[]> {
  const may = (scope: Scope) => scopes === undefined || holdsScope(scopes, scope)
  const orderOf = ({ type, parentId }: SearchHit) => (OF_ORDERS.has(type) ? (parentId ?? '') : '')
  const orderIds = [...new Set(hits.map(orderOf))].filter((id) => id !== '')
  const orders: Awaited<ReturnType<typeof payments.orderNames>> =
    orderIds.length === 0 || !may('payments:read') ? new Map() : await payments.orderNames(tx, orderIds)
  const known = hits.map((hit) => {
    const order = orders.get(orderOf(hit))
    return {
      ...hit,
      reference: hit.reference ?? order?.reference ?? null,
      customerUuid: hit.customerUuid ?? order?.customerUuid ?? null,
    }
  })
  const uuids = [...new Set(known.flatMap(({ customerUuid }) => customerUuid ?? []))]
  const found: Awaited<ReturnType<typeof customers.findCustomers>> =
    uuids.length === 0 || !may('customers:read') ? new Map() : await customers.findCustomers(tx, uuids)
  return known.map((hit) => {
    const customer = found.get(hit.customerUuid ?? '')
    return { ...hit, customer: customer === undefined ? null : { uuid: customer.uuid, name: customer.name } }
  })
}
