import type { Instrument } from '#modules/acquirers'
import type { DirectInstrument } from '#modules/payments'
import type { Words } from '../words/words.ts'
import { type CardDetails, type FieldProblems, type PaymentForm, readCard } from './card-form.ts'

type InstrumentReading =
  | { readonly direct: DirectInstrument; readonly card: CardDetails | null }
  | { readonly problems: FieldProblems }

export function readInstrument(
  form: PaymentForm,
  context: Parameters<typeof readCard>[1],
  words: Words,
): InstrumentReading {
  const { method } = form
  if (method === 'wallet_a_pay' || method === 'wallet_b') {
    return { direct: directInstrument({ type: method, autoDebit: false }, null), card: null }
  }
  if (method !== 'credit_card') return { problems: { method: words.problems.methodMissing } }
  const reading = readCard(form, context, words)
  if ('problems' in reading) return reading
  const { number, expMonth, expYear, holderName, cvc } = reading.card
  const instrument: Instrument = { type: 'card', number, expMonth, expYear, holderName, cvc }
  return { direct: directInstrument(instrument, reading.card), card: reading.card }
}

function directInstrument(instrument: Instrument, card: CardDetails | null): DirectInstrument {
  return {
    instrument,
    accountId: null,
    shown: {
      acquirerType: card === null ? 'wallet' : 'card',
      brand: card?.brand ?? null,
      first6: card?.number.slice(0, 6) ?? null,
      last4: card?.number.slice(-4) ?? null,
      numberLength: card?.number.length ?? null,
      holderName: card?.holderName ?? null,
      expMonth: card?.expMonth ?? null,
      expYear: card?.expYear ?? null,
    },
  }
}
