/**
 * The only card numbers that a test environment accepts (reference/sandbox#test-cards). They are Stripe's published test
 * numbers, so that existing test suites work unchanged.
 */

/**
 * - `binding`: Result of a verification. Most cards approve it and decline only when charged.
 * - `silence`: Charges get no response. With `books` they are booked anyway.
 * - `dispute`: The payer disputes each charge at once.
 */
export interface TestCard {
  readonly name: string
  readonly charge: 'approve' | DeclineCode
  readonly binding: 'approve' | DeclineCode
  readonly asksThreeDSecure: boolean
  readonly silence: 'none' | 'books' | 'books_nothing'
  readonly dispute: DisputeOfCard | null
}

/** `won` and `lost` are decided when the dispute is opened. */
interface DisputeOfCard {
  readonly reason: string
  readonly state: 'needs_response' | 'won' | 'lost'
}

/** `hard` means the same card must not be charged again (reference/recurring#hard-declines). */
export const DECLINES = {
  card_declined: { hard: false, message: 'The card was declined.' },
  insufficient_funds: { hard: false, message: 'The card has insufficient funds.' },
  lost_card: { hard: true, message: 'The card was reported lost.' },
  stolen_card: { hard: true, message: 'The card was reported stolen.' },
  expired_card: { hard: false, message: 'The card has expired.' },
  card_velocity_exceeded: { hard: false, message: 'The card was charged too many times in a short period.' },
  authentication_required: {
    hard: false,
    message: 'The card requires 3-D Secure and the payer is not present.',
  },
  authentication_failed: { hard: false, message: 'The payer did not pass 3-D Secure.' },
  payer_declined: { hard: false, message: 'The payer declined the payment.' },
  expired: { hard: false, message: 'The payer did not confirm in time.' },
} as const

export type DeclineCode = keyof typeof DECLINES

const CARDS = new Map<string, TestCard>()

function add(number: string, name: string, nature: Partial<TestCard> = {}): void {
  CARDS.set(number, {
    name,
    charge: 'approve',
    binding: 'approve',
    asksThreeDSecure: false,
    silence: 'none',
    dispute: null,
    ...nature,
  })
}

add('4242424242424242', 'visa')
add('4000056655665556', 'visa_debit')
add('4111111111111111', 'visa_4111')
add('4012888888881881', 'visa_4012')
add('4000000760000002', 'visa_br')
add('4000001240000000', 'visa_ca')
add('4000003440000004', 'visa_hk')
add('4000000360000006', 'visa_au')
add('4000008260000000', 'visa_gb')
add('4000001560000002', 'visa_cn')
add('4000003920000003', 'visa_jp')
add('4000007020000003', 'visa_sg')
add('5555555555554444', 'mastercard')
add('2223003122003222', 'mastercard_2_series')
add('5200828282828210', 'mastercard_debit')
add('5105105105105100', 'mastercard_prepaid')
add('378282246310005', 'amex')
add('371449635398431', 'amex_2')
add('6011111111111117', 'discover')
add('6011000990139424', 'discover_2')
add('6011981111111113', 'discover_debit')
add('3056930009020004', 'diners')
add('36227206271667', 'diners_14_digits')
add('3566002020360505', 'jcb')
add('6200000000000005', 'unionpay')
add('6200000000000047', 'unionpay_debit')
add('6205500000000000004', 'unionpay_19_digits')

add('4000000000000002', 'visa_declined', { charge: 'card_declined', binding: 'card_declined' })
add('4000000000009995', 'visa_insufficient_funds', { charge: 'insufficient_funds' })
add('4000000000009987', 'visa_lost', { charge: 'lost_card' })
add('4000000000009979', 'visa_stolen', { charge: 'stolen_card' })
add('4000000000000069', 'visa_expired', { charge: 'expired_card' })
add('4000000000006975', 'visa_velocity_exceeded', { charge: 'card_velocity_exceeded' })
add('4000000000000341', 'visa_declined_after_binding', { charge: 'card_declined' })
add('4000002500003155', 'visa_three_d_secure', { asksThreeDSecure: true })
add('4000002760003184', 'visa_three_d_secure_always', { asksThreeDSecure: true })
add('4000000000000119', 'visa_silent_books_nothing', { silence: 'books_nothing' })
add('4000000000000127', 'visa_silent_books', { silence: 'books' })
add('4000000000000259', 'visa_disputed', { dispute: { reason: 'fraudulent', state: 'needs_response' } })
add('4000000000002685', 'visa_disputed_not_received', {
  dispute: { reason: 'product_not_received', state: 'needs_response' },
})
// Ours: Stripe has no cards whose disputes are decided at once.
add('4000000000007106', 'visa_dispute_won', { dispute: { reason: 'fraudulent', state: 'won' } })
add('4000000000007205', 'visa_dispute_lost', { dispute: { reason: 'fraudulent', state: 'lost' } })

export function testCard(number: string): TestCard | undefined {
  return CARDS.get(number)
}

export function testCardByName(name: string): TestCard | undefined {
  return CARDS.values().find((card) => card.name === name)
}

export function isTestCard(number: string): boolean {
  return CARDS.has(number)
}

export function testCardNumbers(): readonly string[] {
  return [...CARDS.keys()]
}
