import { Money } from '#kernel/money'
import type { DeskModel } from '../model/desk-model.ts'
import type { Accounts, ApiDocument } from './accounts.ts'
import type { ApiOrder } from '../../acquirers/api-order.ts'
import { type Findings, moneyOf } from './check-accounts.ts'

type Shown = Pick<Accounts, 'orders' | 'documents' | 'plans' | 'open' | 'taxes'>

/** Compares what bookkeepers did with the documents and their orders, and the reports with all documents. */
export function checkDesk(accounts: Shown, models: readonly DeskModel[]): Findings {
  const { orders, documents, plans } = accounts
  const orderOf = new Map(orders.map((order) => [order.number, order]))
  const documentOf = new Map(documents.map((document) => [document.id, document]))
  const creditOf = new Map(plans.map(({ id, credit = 0 }) => [id, credit]))
  return [
    ...models.flatMap((model) =>
      checkModel(model, orderOf.get(model.orderNumber), documentOf.get(model.invoiceId)).map(
        (finding) => `invoice ${model.life.name} (${model.orderNumber}): ${finding}`,
      ),
    ),
    ...models.flatMap(({ planId, movedMinor, life: { name, currency } }) => {
      if (planId === undefined) return []
      const credit = moneyOf(currency, creditOf.get(planId) ?? 0)
      const moved = Money.ofMinor(currency, movedMinor)
      return credit.equals(moved)
        ? []
        : [`invoice ${name}: the plan has a credit of ${credit.toString()}, expected ${moved.toString()}`]
    }),
    ...checkOpenItems(accounts),
    ...checkTaxes(accounts),
  ]
}

function checkModel(
  model: DeskModel,
  order: ApiOrder | undefined,
  invoice: ApiDocument | undefined,
): Findings {
  if (order === undefined || invoice === undefined) return ['was issued and is missing']
  const { currency } = model.life
  const due = model.isClosed || model.dueMinor < 0n ? 0n : model.dueMinor
  const rows: readonly (readonly [string, string | number, bigint])[] = [
    ['total', invoice.total, model.totalMinor],
    ['amount_due', invoice.amount_due, due],
    ['credited_total', invoice.credited_total, model.notedMinor],
    ['overpaid', invoice.overpaid ?? 0, model.overpaidMinor],
    ['paid_total', order.paid_total, model.paidMinor],
    ['billing.credited_total', order.billing?.credited_total ?? 0, model.creditedMinor],
    ['billing.written_off', order.billing?.written_off ?? 0, model.writtenOffMinor],
    ['billing.moved_to_credit', order.billing?.moved_to_credit ?? 0, model.movedMinor],
  ]
  const findings = rows.flatMap(([name, shown, minor]) => {
    const [found, expected] = [Money.ofDecimal(currency, String(shown)), Money.ofMinor(currency, minor)]
    return found.equals(expected) ? [] : [`${name} is ${found.toString()}, expected ${expected.toString()}`]
  })
  const counted = order.transactions.filter(({ success }) => success).map(({ uuid }) => uuid)
  const expected = [...model.payments, ...model.repayments].map(({ uuid }) => uuid)
  if (counted.toSorted().join(' ') !== expected.toSorted().join(' '))
    findings.push(`has the transactions ${counted.join(', ')}, expected ${expected.join(', ')}`)
  const isOpen = due > 0n
  if (isOpen !== (order.state === 'open')) findings.push(`is ${order.state} with ${due} due`)
  return findings
}

/** Open items are what is due of the documents, one by one. */
function checkOpenItems({ documents, open }: Shown): Findings {
  const dueOf = new Map(
    documents.flatMap(({ number, type, amount_due: due }) =>
      type === 'invoice' && due > 0 ? [[number, due] as const] : [],
    ),
  )
  const findings = open.flatMap(({ number, due }) => {
    const expected = dueOf.get(number)
    dueOf.delete(number)
    return due === expected ? [] : [`open items have ${number} with ${due}, expected ${expected ?? 'none'}`]
  })
  return [...findings, ...[...dueOf].map(([number, due]) => `open items lack ${number} with ${due}`)]
}

/** The tax report sums to the documents. */
function checkTaxes({ documents, taxes }: Shown): Findings {
  const sums = new Map<string, { reported: bigint; issued: bigint }>()
  const sumOf = (currency: string) => {
    const sum = sums.get(currency) ?? { reported: 0n, issued: 0n }
    sums.set(currency, sum)
    return sum
  }
  for (const { currency, tax } of taxes) sumOf(currency).reported += moneyOf(currency, tax).minor
  for (const { currency, type, tax_total: tax } of documents) {
    const { minor } = moneyOf(currency, tax)
    sumOf(currency).issued += type === 'invoice' ? minor : -minor
  }
  return [...sums].flatMap(([currency, { reported, issued }]) =>
    reported === issued ? [] : [`the tax report has ${currency} ${reported}, the documents ${issued}`],
  )
}
