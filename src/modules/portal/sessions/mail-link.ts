import { createHmac } from 'node:crypto'
import { realClock } from '#kernel/clock'
import type { Customer } from '#modules/customers'
import type { Tx } from '#platform/postgres/database'
import type { PortalContext } from '../context.ts'
import type { PortalSession } from '../model/session.ts'
import { insertMailedLink } from '../storage/mailed-link.repository.ts'
import { insertSession } from '../storage/session.repository.ts'
import { newSession } from './create-session.ts'

/** The bound of reference/portal#sign-in. */
const MAX_LINKS_AN_HOUR = 3
/** How many of the customers with one address are considered. */
const MAX_CUSTOMERS = 100

/** Mails a link to an address that the business knows, and does nothing for others or after too many. */
export function mailLink(
  ctx: PortalContext,
  businessId: string,
  typed: string,
  flow: PortalSession['flow'],
): Promise<void> {
  return ctx.db.transact(businessId, async (tx) => {
    const addressee = await findAddressee(ctx, tx, typed)
    if (addressee === undefined) return
    const { customer, address } = addressee
    const now = realClock.now()
    const session = newSession(customer.uuid, now, { flow })
    const link = { id: session.id, addressHash: hashOf(ctx, address), mailedAt: now }
    const limit = { max: MAX_LINKS_AN_HOUR, since: now.subtract({ hours: 1 }) }
    if (!(await insertMailedLink(tx, link, limit))) return
    await insertSession(tx, session)
    await ctx.messages.sendPortalLink(tx, {
      sessionId: session.id,
      customerUuid: customer.uuid,
      recipient: address,
    })
  })
}

/** - `address`: As the business knows it. What was typed may equal it only without case, and be the mailbox of somebody else. */
interface Addressee {
  readonly customer: Customer
  readonly address: string
}

/**
 * Finds the customer whose own address this is; only if it is nobody's own, one whose invoices go there. Customers choose the address
 * of their invoices themselves, and could otherwise lead the owner of an address into their account. Customers with plans that bill
 * come first, then the newest.
 */
async function findAddressee(ctx: PortalContext, tx: Tx, typed: string): Promise<Addressee | undefined> {
  const own = await ctx.customers.findByEmail(tx, typed)
  const known = own.flatMap((customer) => addresseeAt(customer, customer.email)).slice(0, MAX_CUSTOMERS)
  const addressees = known.length > 0 ? known : await addresseesOfInvoices(ctx, tx, typed)
  if (addressees.length <= 1) return addressees[0]
  const uuids = addressees.map(({ customer }) => customer.uuid)
  const billed = new Set(await ctx.billing.findBilledCustomers(tx, uuids))
  const rank = ({ customer: { uuid, createdAt } }: Addressee) =>
    (billed.has(uuid) ? 1e15 : 0) + createdAt.epochMilliseconds
  return addressees.toSorted((a, b) => rank(b) - rank(a))[0]
}

async function addresseesOfInvoices(ctx: PortalContext, tx: Tx, typed: string): Promise<Addressee[]> {
  const addresses = await ctx.taxes.findByInvoiceEmail(tx, typed, MAX_CUSTOMERS)
  if (addresses.size === 0) return []
  const customers = await ctx.customers.findCustomers(tx, [...addresses.keys()])
  return [...customers.values()].flatMap((customer) => addresseeAt(customer, addresses.get(customer.uuid)))
}

function addresseeAt(customer: Customer, address: string | null | undefined): Addressee[] {
  return customer.erasedAt !== null || address == null ? [] : [{ customer, address }]
}

/** Keyed: anyone could try addresses against a plain hash. */
function hashOf({ keyring }: PortalContext, address: string): string {
  const [key] = keyring.derivedKeys('portal addresses')
  if (key === undefined) throw new Error('the keyring is empty')
  return createHmac('sha256', key.secret).update(address.toLowerCase()).digest('base64url')
}
