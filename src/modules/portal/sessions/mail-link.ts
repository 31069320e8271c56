import { createHmac } from 'node:crypto'
import { realClock } from '#kernel/clock'
import type { Customer } from '#modules/customers'
import type { Tx } from '#platform/postgres/database'
import type { PortalContext } from '../context.ts'
import type { PortalSession } from '../model/session.ts'
import { insertMailedLink } from '../storage/mailed-link.repository.ts'
import { insertSession } from '../storage/session.repository.ts'
import { newSession } from './create-session.ts'

const MAX_LINKS_AN_HOUR = 3
/** Of customers with one address, the first few are looked at. */
const MAX_CUSTOMERS = 100

/** Mails a link to an address that the business knows, and does nothing for others or after too many. */
export function mailLink(
  ctx: PortalContext,
  businessId: string,
  typed: string,
  flow: PortalSession['flow'],
): Promise<void> {
  return ctx.db.transact(businessId, async (tx) => {
    const reader = await readerOf(ctx, tx, typed)
    if (reader === undefined) return
    const { customer, address } = reader
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

/** - `address`: As the business knows it. Other letters may be the same without case, and lead to a mailbox of somebody else. */
interface Reader {
  readonly customer: Customer
  readonly address: string
}

/**
 * Whoever reads the customer's own mails or, if the address is nobody's own, those with its invoices: a customer may choose
 * that address, and would lead others into its account. One with plans that bill comes before others, and a newer one before an older.
 */
async function readerOf(ctx: PortalContext, tx: Tx, typed: string): Promise<Reader | undefined> {
  const own = await ctx.customers.findByEmail(tx, typed)
  const known = own.flatMap((customer) => readerAt(customer, customer.email)).slice(0, MAX_CUSTOMERS)
  const readers = known.length > 0 ? known : await readersOfInvoices(ctx, tx, typed)
  if (readers.length <= 1) return readers[0]
  const uuids = readers.map(({ customer }) => customer.uuid)
  const billed = new Set(await ctx.billing.findBilledCustomers(tx, uuids))
  const rank = ({ customer: { uuid, createdAt } }: Reader) =>
    (billed.has(uuid) ? 1e15 : 0) + createdAt.epochMilliseconds
  return readers.toSorted((a, b) => rank(b) - rank(a))[0]
}

async function readersOfInvoices(ctx: PortalContext, tx: Tx, typed: string): Promise<Reader[]> {
  const addresses = await ctx.taxes.findByInvoiceEmail(tx, typed, MAX_CUSTOMERS)
  if (addresses.size === 0) return []
  const customers = await ctx.customers.findCustomers(tx, [...addresses.keys()])
  return [...customers.values()].flatMap((customer) => readerAt(customer, addresses.get(customer.uuid)))
}

function readerAt(customer: Customer, address: string | null | undefined): Reader[] {
  return customer.erasedAt !== null || address == null ? [] : [{ customer, address }]
}

/** Keyed: anyone could try addresses against a plain hash. */
function hashOf({ keyring }: PortalContext, address: string): string {
  const [key] = keyring.derivedKeys('portal addresses')
  if (key === undefined) throw new Error('the keyring is empty')
  return createHmac('sha256', key.secret).update(address.toLowerCase()).digest('base64url')
}
