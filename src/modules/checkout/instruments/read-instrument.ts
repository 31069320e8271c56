import type { AccountComponent, Instrument, PaymentOffer } from '#modules/acquirers'
import { type DirectInstrument, NO_INSTRUMENT } from '#modules/payments'
import type { Words } from '../words/words.ts'
import {
  type CardDetails,
  type FieldProblems,
  isHolderName,
  type PaymentForm,
  readCard,
} from './card-form.ts'
import { readComponentData } from './component-data.ts'

type InstrumentReading =
  | { readonly direct: DirectInstrument; readonly card: CardDetails | null }
  | { readonly problems: FieldProblems }

export function readInstrument(
  form: PaymentForm,
  { methods, cardAcquirer, component }: PaymentOffer,
  context: Omit<Parameters<typeof readCard>[1], 'acquirer'>,
  words: Words,
): InstrumentReading {
  const { method } = form
  const isMethod = method === 'credit_card' || method === 'wallet_a_pay' || method === 'wallet_b'
  if (!isMethod || !methods.has(method)) return { problems: { method: words.problems.methodMissing } }
  if (method !== 'credit_card') {
    const instrument: Instrument = { type: method, autoDebit: false }
    return {
      direct: { instrument, accountId: null, shown: { ...NO_INSTRUMENT, acquirerType: 'wallet' } },
      card: null,
    }
  }
  if (form.account !== (component?.accountId ?? '')) {
    return { problems: { account: words.problems.cardFormChanged } }
  }
  if (component !== null) return readComponent(form, component, words)
  const reading = readCard(form, { ...context, acquirer: cardAcquirer }, words)
  if ('problems' in reading) return reading
  return { direct: directCard(reading.card), card: reading.card }
}

function readComponent(form: PaymentForm, component: AccountComponent, words: Words): InstrumentReading {
  const data = readComponentData(component.acquirer, form.componentData)
  if (data === null) return { problems: { component: words.problems.cardMissing } }
  const holderName = form.name.trim()
  if (holderName !== '' && !isHolderName(holderName))
    return { problems: { name: words.problems.nameMissing } }
  const shown = { ...NO_INSTRUMENT, holderName: holderName || null } as const
  return {
    direct: { instrument: { type: 'component', data }, accountId: component.accountId, shown },
    card: null,
  }
}

function directCard(card: CardDetails): DirectInstrument {
  const { number, expMonth, expYear, holderName, cvc, brand } = card
  return {
    instrument: { type: 'card', number, expMonth, expYear, holderName, cvc },
    accountId: null,
    shown: {
      acquirerType: 'card',
      brand,
      first6: number.slice(0, 6),
      last4: number.slice(-4),
      numberLength: number.length,
      holderName,
      expMonth,
      expYear,
    },
  }
}
