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
  address: string,
  flow: PortalSession['flow'],
): Promise<void> {
  return ctx.db.transact(businessId, async (tx) => {
    const customer = await customerOf(ctx, tx, address)
    if (customer === undefined) return
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

/** Whoever reads the customer's own mails or those with its invoices. One with plans that bill comes before others, and a newer one before an older. */
async function customerOf(ctx: PortalContext, tx: Tx, address: string): Promise<Customer | undefined> {
  const [byEmail, uuids] = await Promise.all([
    ctx.customers.findByEmail(tx, address),
    ctx.taxes.findByInvoiceEmail(tx, address, MAX_CUSTOMERS),
  ])
  const byInvoices = uuids.length === 0 ? [] : (await ctx.customers.findCustomers(tx, uuids)).values()
  const known = [...byEmail, ...byInvoices]
    .filter(({ erasedAt }) => erasedAt === null)
    .slice(0, MAX_CUSTOMERS)
  if (known.length <= 1) return known[0]
  const billed = new Set(
    await ctx.billing.findBilledCustomers(
      tx,
      known.map(({ uuid }) => uuid),
    ),
  )
  const rank = ({ uuid, createdAt }: Customer) => (billed.has(uuid) ? 1e15 : 0) + createdAt.epochMilliseconds
  return known.toSorted((a, b) => rank(b) - rank(a))[0]
}

/** Keyed: anyone could try addresses against a plain hash. */
function hashOf({ keyring }: PortalContext, address: string): string {
  const [key] = keyring.derivedKeys('portal addresses')
  if (key === undefined) throw new Error('the keyring is empty')
  return createHmac('sha256', key.secret).update(address.toLowerCase()).digest('base64url')
}
