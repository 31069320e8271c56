import type { Currency } from '#kernel/currencies'
import { Money } from '#kernel/money'
import { type MessageKind, OPTIONAL_KINDS } from '../model/kinds.ts'
import type { MessageBrand, MessageContent, DetailLabel } from './content.ts'
import { phrasesOf } from './phrases.ts'
import { wordsOf } from './words.ts'

interface ExampleSettings {
  readonly kind: MessageKind
  readonly language: string
  readonly brand: MessageBrand
  readonly currency: Currency
  readonly override?: MessageContent['override']
  /** Where buttons and links of the example lead. */
  readonly url: string
}

const DAY = '2027-06-15'
const LATER = '2027-06-18'
const DOCUMENT = 'INV-2027-000123'

/** A message of a kind with example data, for previews. */
export function exampleContent({
  kind,
  language,
  brand,
  currency,
  override,
  url,
}: ExampleSettings): MessageContent {
  const phrases = phrasesOf(language)
  const money = (units: string) => phrases.money(Money.ofDecimal(currency, units))
  const amount = money('119')
  const { lines: words } = wordsOf(language)
  const lines = [
    { label: 'Pro', quantity: null, amount: money('100') },
    { label: `${words.tax} 19%`, quantity: null, amount: money('19') },
  ]
  const date = phrases.date(dayOf(kind))
  const values = {
    customer_name: 'Amy Lee',
    business_name: brand.businessName,
    amount,
    order_number: '20270615-1',
    document_number: kind === 'credit_note' ? 'CN-2027-000007' : DOCUMENT,
    plan_name: 'Pro',
    date,
    link: url,
  }
  const row = (label: DetailLabel, value: string) => ({ label, value })
  const card = phrases.method('payment_token', { brand: 'visa', last4: '4242' })
  const shown = ((): Pick<MessageContent, 'action' | 'attached'> & {
    lines?: typeof lines
    rows: ReturnType<typeof row>[]
  } => {
    switch (kind) {
      case 'receipt':
        return {
          lines,
          rows: [
            row('order_number', values.order_number),
            row('paid_on', date),
            row('payment_method', card),
            row('amount_paid', amount),
          ],
          action: { kind: 'view_order', url },
        }
      case 'invoice':
        return {
          lines,
          rows: [
            row('document_number', DOCUMENT),
            row('due_on', date),
            row('payment_reference', 'RF18 5390 0754 7034'),
            row('amount_due', amount),
          ],
          action: { kind: 'pay', url },
          attached: [`${DOCUMENT}.pdf`],
        }
      case 'credit_note':
        return {
          lines,
          rows: [
            row('document_number', values.document_number),
            row('credited_invoice', DOCUMENT),
            row('amount_credited', amount),
          ],
          attached: [`${values.document_number}.pdf`],
        }
      case 'payment_failed':
        return {
          rows: [
            row('plan_name', values.plan_name),
            row('card', card),
            row('reason', phrases.decline('insufficient_funds')),
            row('next_attempt_on', date),
          ],
          action: { kind: 'pay', url },
        }
      case 'payment_reminder':
        return {
          rows: [
            row('document_number', DOCUMENT),
            row('due_on', date),
            row('payment_reference', 'RF18 5390 0754 7034'),
          ],
          action: { kind: 'pay', url },
          attached: [`${DOCUMENT}.pdf`],
        }
      case 'plan_canceled':
        return { rows: [row('plan_name', values.plan_name), row('ends_on', date)] }
      case 'trial_ending':
        return {
          rows: [
            row('plan_name', values.plan_name),
            row('trial_ends_on', date),
            row('total', amount),
            row('card', card),
          ],
        }
      case 'renewal_ahead':
        return {
          rows: [
            row('plan_name', values.plan_name),
            row('renews_on', date),
            row('total', amount),
            row('card', card),
          ],
        }
      case 'portal_link':
        return { rows: [], action: { kind: 'open_portal', url } }
      case 'card_expiring':
        return {
          rows: [row('card', card), row('card_expires', '06/2027'), row('plan_name', values.plan_name)],
          action: { kind: 'update_card', url },
        }
      case 'usage_alert':
        return { rows: [row('plan_name', values.plan_name), row('usage', '10,000')] }
      case 'balance_low':
        return { rows: [row('balance', amount)] }
    }
  })()
  return {
    kind,
    language,
    brand,
    values,
    details: { lines: shown.lines ?? [], rows: shown.rows },
    ...(shown.action !== undefined && { action: shown.action }),
    ...(shown.attached !== undefined && { attached: shown.attached }),
    ...(override !== undefined && { override }),
    ...(OPTIONAL_KINDS.has(kind) && { unsubscribeUrl: url }),
  }
}

function dayOf(kind: MessageKind): string {
  if (kind === 'payment_failed') return LATER
  return kind === 'card_expiring' ? '2027-06-30' : DAY
}
