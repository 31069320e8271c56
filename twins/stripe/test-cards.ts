import { createHash } from 'node:crypto'

export interface Decline {
  readonly code: string
  readonly declineCode: string
  readonly message: string
  readonly adviceCode: 'confirm_card_data' | 'do_not_try_again' | 'try_again_later'
  readonly networkCode: string
}

/**
 * When a card asks for 3-D Secure. `always`: every payment. `unless_set_up`: off-session payments pass once the card was
 * set up. `on_session`: off-session payments always pass.
 */
type Challenge = 'always' | 'unless_set_up' | 'on_session'

export interface TestCard {
  /** `pm_card_…` without the prefix. */
  readonly names: readonly string[]
  readonly number: string
  readonly brand: string
  readonly funding: 'credit' | 'debit' | 'prepaid'
  readonly country: string
  readonly decline?: Decline
  /** A declined card normally cannot be attached to a customer. */
  readonly attachesThoughDeclined?: true
  readonly challenge?: Challenge
  readonly refund?: 'pending' | 'fails'
  readonly dispute?: 'fraudulent' | 'product_not_received' | 'inquiry'
  readonly outcome?: 'processing_succeeds' | 'processing_fails'
}

type Declined = readonly [
  code: string,
  decline: string,
  message: string,
  advice: Decline['adviceCode'],
  network: string,
]

const decline = ([code, declineCode, message, adviceCode, networkCode]: Declined): Decline => ({
  code,
  declineCode,
  message,
  adviceCode,
  networkCode,
})

const DECLINED = 'Your card was declined.'
const GENERIC = decline(['card_declined', 'generic_decline', DECLINED, 'try_again_later', '01'])
const NO_FUNDS = decline([
  'card_declined', 'insufficient_funds', 'Your card has insufficient funds.', 'try_again_later', '51',
]) // prettier-ignore

export const AUTHENTICATION_REQUIRED: Decline = decline([
  'authentication_required',
  'authentication_required',
  'Your card was declined. This transaction requires authentication.',
  'try_again_later',
  '1A',
])

type Traits = Partial<Omit<TestCard, 'names' | 'number'>>

function card(names: string, number: string, traits: Traits = {}): TestCard {
  return { names: names.split(' '), number, brand: 'visa', funding: 'credit', country: 'US', ...traits }
}

/** Stripe's public test cards (docs.stripe.com/testing). The last three are the twin's own: see its README. */
const TEST_CARDS: readonly TestCard[] = [
  card('visa', '4242424242424242'),
  card('visa_debit', '4000056655665556', { funding: 'debit' }),
  card('mastercard', '5555555555554444', { brand: 'mastercard' }),
  card('mastercard_2', '2223003122003222', { brand: 'mastercard' }),
  card('mastercard_debit', '5200828282828210', { brand: 'mastercard', funding: 'debit' }),
  card('mastercard_prepaid', '5105105105105100', { brand: 'mastercard', funding: 'prepaid' }),
  card('amex', '378282246310005', { brand: 'amex' }),
  card('amex_2', '371449635398431', { brand: 'amex' }),
  card('discover', '6011111111111117', { brand: 'discover' }),
  card('diners', '3056930009020004', { brand: 'diners' }),
  card('jcb', '3566002020360505', { brand: 'jcb', country: 'JP' }),
  card('unionpay', '6200000000000005', { brand: 'unionpay', country: 'CN' }),
  card('gb', '4000008260000000', { country: 'GB' }),
  card('de', '4000002760000016', { country: 'DE' }),
  card('br', '4000000760000002', { country: 'BR' }),
  card('jp', '4000003920000003', { country: 'JP' }),
  card('bypassPending', '4000000000000077'),
  card('chargeDeclined visa_chargeDeclined', '4000000000000002', { decline: GENERIC }),
  card('chargeDeclinedInsufficientFunds visa_chargeDeclinedInsufficientFunds', '4000000000009995', {
    decline: NO_FUNDS,
  }),
  card('chargeDeclinedLostCard visa_chargeDeclinedLostCard', '4000000000009987', {
    decline: decline(['card_declined', 'lost_card', DECLINED, 'do_not_try_again', '41']),
  }),
  card('chargeDeclinedStolenCard visa_chargeDeclinedStolenCard', '4000000000009979', {
    decline: decline(['card_declined', 'stolen_card', DECLINED, 'do_not_try_again', '43']),
  }),
  card('chargeDeclinedExpiredCard', '4000000000000069', {
    decline: decline(['expired_card', 'expired_card', 'Your card has expired.', 'confirm_card_data', '54']),
  }),
  card('chargeDeclinedIncorrectCvc', '4000000000000127', {
    decline: decline([
      'incorrect_cvc', 'incorrect_cvc', "Your card's security code is incorrect.", 'confirm_card_data', 'N7',
    ]), // prettier-ignore
  }),
  card('chargeDeclinedProcessingError', '4000000000000119', {
    decline: decline([
      'processing_error',
      'processing_error',
      'An error occurred while processing your card. Try again in a little bit.',
      'try_again_later',
      '96',
    ]),
  }),
  card('visa_chargeDeclinedVelocityLimitExceeded', '4000000000006975', {
    decline: decline([
      'card_declined',
      'card_velocity_exceeded',
      'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
      'try_again_later',
      '65',
    ]),
  }),
  card('radarBlock', '4100000000000019', {
    decline: decline(['card_declined', 'fraudulent', DECLINED, 'do_not_try_again', '59']),
  }),
  card('chargeCustomerFail', '4000000000000341', { decline: GENERIC, attachesThoughDeclined: true }),
  card('threeDSecure2Required', '4000000000003220', { challenge: 'always' }),
  card('threeDSecureRequired', '4000000000003063', { challenge: 'always' }),
  card('threeDSecureOptional', '4000000000003055'),
  card('threeDSecureRequiredChargeDeclined', '4000008400001629', { challenge: 'always', decline: GENERIC }),
  card('authenticationRequired', '4000002760003184', { challenge: 'always', country: 'DE' }),
  card('authenticationRequiredOnSetup', '4000002500003155', { challenge: 'unless_set_up', country: 'FR' }),
  card('authenticationRequiredSetupForOffSession', '4000003800000446', {
    challenge: 'on_session',
    country: 'IT',
  }),
  card('authenticationRequiredChargeDeclinedInsufficientFunds', '4000008260003178', {
    challenge: 'on_session',
    decline: NO_FUNDS,
    attachesThoughDeclined: true,
    country: 'GB',
  }),
  card('pendingRefund', '4000000000007726', { refund: 'pending' }),
  card('refundFail', '4000000000005126', { refund: 'fails' }),
  card('createDispute', '4000000000000259', { dispute: 'fraudulent' }),
  card('createDisputeProductNotReceived', '4000000000002685', { dispute: 'product_not_received' }),
  card('createDisputeInquiry', '4000000000001976', { dispute: 'inquiry' }),
  card('twinStolenLater', '4000000000009953', {
    decline: decline(['card_declined', 'stolen_card', DECLINED, 'do_not_try_again', '43']),
    attachesThoughDeclined: true,
  }),
  card('twinProcessing', '4000000000009938', { outcome: 'processing_succeeds' }),
  card('twinProcessingFails', '4000000000009946', { outcome: 'processing_fails' }),
]

const BY_NAME = new Map(TEST_CARDS.flatMap((each) => each.names.map((name) => [name, each] as const)))
const BY_NUMBER = new Map(TEST_CARDS.map((each) => [each.number, each]))

export function testCardNamed(name: string): TestCard | undefined {
  return BY_NAME.get(name)
}

export function testCardOf(number: string): TestCard | undefined {
  return BY_NUMBER.get(number)
}

export function fingerprintOf(number: string): string {
  return createHash('sha256').update(number).digest('base64url').replaceAll(/[-_]/g, 'x').slice(0, 16)
}

/** The check digit of ISO/IEC 7812. */
export function passesLuhn(number: string): boolean {
  const sum = Array.from(number)
    .toReversed()
    .reduce((total, digit, place) => {
      const doubled = place % 2 === 1 ? Number(digit) * 2 : Number(digit)
      return total + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
  return /^\d{12,19}$/.test(number) && sum % 10 === 0
}
