import { timeOfChange } from '#kernel/clock'
import { sumMoney } from '#kernel/money'
import { exchangeRates, type ExchangeRate } from '#modules/taxes'
import { type Job, scheduleJob } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import type { InvoicesContext } from '../context.ts'
import { INVOICE_RATES } from '../job-names.ts'
import { exchangeOf, type TaxExchange } from '../model/exchange.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { findNotes } from '../storage/invoice.repository.ts'
import { earliestWithRate, lockWithRate, saveRates } from '../storage/missing-rate.repository.ts'

const BATCH = 100

/** Gives rates that were just stored to the documents that lack them: to the first ones at once, to the others in a job. */
export async function completeWithRates(tx: Tx): Promise<void> {
  // Locked documents are skipped: their holder may wait for the lock of the rates, which this transaction holds.
  await completeBatch(tx, { skipsLocked: true })
  const left = await earliestWithRate(tx)
  if (left !== null) await scheduleJob(tx, INVOICE_RATES, left)
}

export function ratesJob(ctx: InvoicesContext): Job {
  return {
    name: INVOICE_RATES,
    clock: 'business',
    domain: 'plans',
    nextRunAt: earliestWithRate,
    run: ({ businessId }) => ctx.db.transact(businessId, (tx) => completeBatch(tx, { skipsLocked: false })),
  }
}

async function completeBatch(tx: Tx, how: { readonly skipsLocked: boolean }): Promise<number> {
  const documents = await lockWithRate(tx, BATCH, how)
  if (documents.length === 0) return 0
  const ids = documents.map(({ id }) => id)
  // Whoever issues a note has locked its invoice, so no other note comes.
  const [notes, rateOf] = await Promise.all([
    findNotes(tx, ids),
    exchangeRates(tx, documents.flatMap(keysOf)),
  ])
  const completed = documents.flatMap((document) => {
    const [key] = keysOf(document)
    const rate = key && rateOf(key)
    return rate === undefined ? [] : completedWith(rate, document, notes.get(document.id) ?? [])
  })
  await saveRates(
    tx,
    completed.map((document) => ({ ...document, updatedAt: timeOfChange(document, tx.now) })),
  )
  return documents.length
}

function keysOf({ currency: from, exchange }: IssuedInvoice) {
  return exchange === undefined ? [] : [{ from, to: exchange.currency, date: exchange.date }]
}

type Completed = IssuedInvoice & { readonly exchange: TaxExchange }

/** Notes that were issued before the rate came get that of their invoice, in their order. */
function completedWith(
  rate: ExchangeRate,
  invoice: IssuedInvoice,
  notes: readonly IssuedInvoice[],
): Completed[] {
  return [invoice, ...notes].flatMap((document, index) => {
    const earlier = notes.slice(0, Math.max(0, index - 1))
    const { currency, taxes, exchange } = document
    if (exchange === undefined) return []
    const before = {
      base: sumMoney(
        currency,
        earlier.map(({ netTotal }) => netTotal),
      ),
      tax: sumMoney(
        currency,
        earlier.map(({ taxTotal }) => taxTotal),
      ),
    }
    const converted = exchangeOf(taxes, { ...exchange, rate }, before)
    return converted === undefined ? [] : [{ ...document, exchange: converted }]
  })
}
