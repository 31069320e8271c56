import type {
  Acquirer,
  Capabilities,
  ChargeRequest,
  Inquiry,
  Lookup,
  Outcome,
  VerifyOutcome,
  VerifyRequest,
} from '../port/port.ts'
import { type ConfirmationRequest, createAndConfirm, type IntentKind } from './confirmation.ts'
import { cancelHeld, capture, refund } from './follow-ups.ts'
import type { Intents, PaymentIntents, Step } from './intent.ts'
import { closeIntent, inquireCapture, inquireIntent, inquireRefund, inquireVoid } from './inquiry.ts'

export type PaymentRequest = ChargeRequest & { readonly kind: 'sale' | 'authorization' }

export type PreparedVerification<Prepared> = ConfirmationRequest & { readonly key: string } & Prepared

interface IntentsOfBothKinds<Prepared> {
  readonly payments: PaymentIntents<PaymentRequest>
  readonly verifications: Intents<PreparedVerification<Prepared>>
}

export interface IntentApi<Prepared> extends IntentsOfBothKinds<Prepared> {
  readonly inquiries: IntentsOfBothKinds<Prepared>
  prepareVerification(request: VerifyRequest): Promise<Step<Prepared>>
}

type IntentOperations = Pick<
  Acquirer,
  'capabilities' | 'sale' | 'authorize' | 'capture' | 'refund' | 'void' | 'verify' | 'inquire' | 'closeKey'
>

export const INTENT_CAPABILITIES: Capabilities = {
  closes: new Set(['sale', 'authorization', 'verification']),
  commitsReferences: true,
  multipleCaptures: false,
  voidsCaptured: false,
  needsSecurityCode: false,
}

export function intentOperations<Prepared extends object>(api: IntentApi<Prepared>): IntentOperations {
  const { payments } = api
  const charge = (request: ChargeRequest, kind: 'sale' | 'authorization'): Promise<Outcome> =>
    createAndConfirm(payments, { ...request, kind }, kind)
  return {
    capabilities: INTENT_CAPABILITIES,
    sale: (request) => charge(request, 'sale'),
    authorize: (request) => charge(request, 'authorization'),
    capture: (request) => capture(payments, request),
    refund: (request) => refund(payments, request),
    void: (request) => cancelHeld(payments, request),
    verify: (request) => verify(api, request),
    inquire: (lookup) => inquire(api.inquiries, lookup),
    closeKey: (lookup) => closeKey(api.inquiries, lookup),
  }
}

async function verify<Prepared extends object>(
  api: IntentApi<Prepared>,
  request: VerifyRequest,
): Promise<VerifyOutcome> {
  const prepared = await api.prepareVerification(request)
  if (prepared.kind !== 'ok') return prepared.kind === 'declined' ? prepared.decline.outcome : prepared
  const { key, commitReference, returnUrl } = request
  const confirmation = {
    key,
    commitReference,
    payerPresent: true,
    ...(returnUrl !== undefined && { returnUrl }),
  }
  return createAndConfirm(api.verifications, { ...confirmation, ...prepared.value }, 'verification')
}

async function inquire(api: IntentsOfBothKinds<never>, lookup: Lookup): Promise<Inquiry> {
  switch (lookup.kind) {
    case 'capture':
      return inquireCapture(api.payments, lookup)
    case 'refund':
      return inquireRefund(api.payments, lookup)
    case 'void':
      return inquireVoid(api.payments, lookup)
    case 'sale':
    case 'authorization':
    case 'verification':
      return inquireIntent(intentsOf(api, lookup.kind), lookup.kind, lookup)
  }
}

async function closeKey(api: IntentsOfBothKinds<never>, lookup: Lookup): Promise<Inquiry> {
  const { kind } = lookup
  if (kind === 'capture' || kind === 'refund' || kind === 'void') return inquire(api, lookup)
  return closeIntent(intentsOf(api, kind), kind, lookup)
}

function intentsOf(api: IntentsOfBothKinds<never>, kind: IntentKind): Intents<never> {
  return kind === 'verification' ? api.verifications : api.payments
}
