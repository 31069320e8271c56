import sql from 'sql-template-tag'
import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import type { PageRequest } from '#platform/http/validation/list'
import type { Tx } from '#platform/postgres/database'
import type { CustomersContext, CustomerView } from '../context.ts'
import { errors } from '../errors.ts'
import { CUSTOMER_FIELDS, narrowedBy } from '../storage/customer-filter.ts'
import { findCustomerByReference, findCustomers, listCustomers } from '../storage/customer.repository.ts'
import { findDefaultTokens } from '../storage/payment-token.repository.ts'
import type { Customer } from '../model/customer.ts'

export async function customerByReference(
  ctx: CustomersContext,
  caller: Caller,
  referenceNumber: string,
): Promise<CustomerView> {
  return ctx.db.transact(caller.businessId, async (tx) =>
    viewOf(tx, (await findCustomerByReference(tx, referenceNumber)) ?? undefined),
  )
}

export async function customerByUuid(
  ctx: CustomersContext,
  caller: Caller,
  uuid: string,
): Promise<CustomerView> {
  return ctx.db.transact(caller.businessId, async (tx) =>
    viewOf(tx, (await findCustomers(tx, [uuid])).get(uuid)),
  )
}

export async function customersOfPage(
  ctx: CustomersContext,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<CustomerView[]> {
  const { timeZone } = await ctx.businesses.profile(businessId)
  const condition = filterCondition(filter, CUSTOMER_FIELDS, timeZone)
  const read = async (tx: Tx) => {
    const narrowed = filter === undefined ? undefined : await narrowedBy(tx, filter)
    const narrowedCondition = narrowed === undefined ? condition : sql`${narrowed} and ${condition}`
    return viewsOf(tx, await listCustomers(tx, narrowedCondition, request))
  }
  return ctx.db.transact(businessId, read, { isSearch: filter !== undefined })
}

async function viewOf(tx: Tx, customer: Customer | undefined): Promise<CustomerView> {
  const [view] = customer === undefined ? [] : await viewsOf(tx, [customer])
  if (view === undefined) throw errors.customer_not_found()
  return view
}

async function viewsOf(tx: Tx, customers: readonly Customer[]): Promise<CustomerView[]> {
  const tokens = await findDefaultTokens(
    tx,
    customers.map(({ uuid }) => uuid),
  )
  return customers.map((customer) => ({ customer, defaultToken: tokens.get(customer.uuid), at: tx.now }))
}
