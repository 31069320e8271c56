import {
  type AccountComponent,
  type Instrument,
  type PaymentOffer,
  WALLET_METHODS,
  type WalletMethod,
} from '#modules/acquirers'
import { type DirectInstrument, NO_INSTRUMENT, shownWallet } from '#modules/payments'
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
  if (!isPageMethod(method) || !methods.has(method))
    return { problems: { method: words.problems.methodMissing } }
  if (method !== 'credit_card') {
    const instrument: Instrument = { type: method, autoDebit: false, device: form.device }
    return { direct: { instrument, accountId: null, shown: shownWallet(method) }, card: null }
  }
  if (form.account !== (component?.accountId ?? '')) {
    return { problems: { account: words.problems.cardFormChanged } }
  }
  if (component !== null) return readComponent(form, component, words)
  const reading = readCard(form, { ...context, acquirer: cardAcquirer }, words)
  if ('problems' in reading) return reading
  return { direct: directCard(reading.card), card: reading.card }
}

function isPageMethod(method: string): method is 'credit_card' | WalletMethod {
  return method === 'credit_card' || WALLET_METHODS.some((wallet) => wallet === method)
}

function readComponent(form: PaymentForm, component: AccountComponent, words: Words): InstrumentReading {
  const data = component.confirmsInBrowser ? '' : readComponentData(component.acquirer, form.componentData)
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
