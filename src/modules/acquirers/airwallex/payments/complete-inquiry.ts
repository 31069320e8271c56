import type { PaymentIntents } from '../../intents/intent.ts'
import type { Inquiry, Lookup, NextAction } from '../../port/port.ts'

/**
 * What only a payment's own row knows.
 * - The answer of an inquiry need not name the kind of action, nor when a code ends: the payer's last action is repeated. Nor
 *   need it name the wallet that refused.
 * - A payment that waits for the component has no attempt yet, and is not absent before its page is closed.
 * - The component chooses whether to capture. A sale that it only authorized is captured here.
 */
export async function completeInquiry(
  payments: PaymentIntents<never>,
  inquire: (lookup: Lookup) => Promise<Inquiry>,
  lookup: Lookup,
): Promise<Inquiry> {
  const found = await inquire(lookup)
  const { nextAction, kind, reference, amount } = lookup
  if (found.kind === 'absent' && !found.closed && nextAction?.type === 'component_confirmation') {
    return { kind: 'pending', ...WAITING, gatewayTransactionId: reference ?? '', nextAction }
  }
  if (found.kind === 'declined') return { ...found, ...reasonInApp(lookup, found.reason) }
  if (found.kind !== 'pending') return found
  if (kind === 'sale' && found.nextAction === undefined && reference !== null && amount !== null) {
    const read = await payments.read(reference)
    if (read.kind !== 'ok' || read.value.state !== 'held') return found
    const { key, at, commitReference } = lookup
    const request = { key: `${key}:capture`, at, amount, originalKey: key, originalReference: reference }
    await payments.capture(reference, { ...request, commitReference })
    return inquire(lookup)
  }
  return nextAction === undefined ? found : { ...found, ...repeated(found.nextAction, nextAction) }
}

const IN_APP: ReadonlySet<string> = new Set(['wallet_confirmation', 'bank_confirmation'])

function reasonInApp(
  { kind, nextAction }: Lookup,
  reason: string | undefined,
): { readonly reason: string } | undefined {
  if (nextAction === undefined || !IN_APP.has(nextAction.type) || reason === 'expired') return undefined
  return { reason: kind === 'verification' ? 'wallet_agreement_declined' : 'payer_declined' }
}

function repeated(
  found: NextAction | undefined,
  last: NextAction,
): { readonly nextAction: NextAction } | undefined {
  if (found === undefined) return undefined
  if (last.type === 'component_confirmation') return { nextAction: found }
  const isSame = found.qrCode === last.qrCode && found.url === last.url
  return { nextAction: isSame ? last : { ...found, type: last.type } }
}

const WAITING = {
  rrn: '',
  authCode: '',
  batchNumber: '',
  responseCode: '',
  responseMessage: '',
}
