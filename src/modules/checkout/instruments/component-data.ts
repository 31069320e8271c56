import type { AccountComponent } from '#modules/acquirers'

const STRIPE_PAYMENT_METHOD = /^pm_[A-Za-z0-9]{1,255}$/
const MAX_MEMBERS = 30
const MAX_NAME_LENGTH = 64
/** Adyen's longest member is `sdkData`, which describes the browser. */
const MAX_VALUE_LENGTH = 8_192

/**
 * What the acquirer's component collected, as the adapter takes it: the id of a payment method of Stripe, or the
 * `paymentMethod` of Adyen Web as JSON. Null where anything else was sent: anyone with the link can send a form.
 */
export function readComponentData(acquirer: AccountComponent['acquirer'], sent: string): string | null {
  switch (acquirer) {
    case 'stripe':
      return STRIPE_PAYMENT_METHOD.test(sent) ? sent : null
    case 'adyen':
      return readMembers(sent)
    // The component confirms the payment itself and hands nothing over.
    case 'airwallex':
      return null
  }
}

function readMembers(sent: string): string | null {
  try {
    const members: unknown = JSON.parse(sent)
    if (typeof members !== 'object' || members === null || Array.isArray(members)) return null
    const entries = Object.entries(members)
    if (entries.length === 0 || entries.length > MAX_MEMBERS) return null
    return entries.every(isShortText) ? JSON.stringify(members) : null
  } catch {
    return null
  }
}

function isShortText([name, value]: readonly [string, unknown]): boolean {
  return name.length <= MAX_NAME_LENGTH && typeof value === 'string' && value.length <= MAX_VALUE_LENGTH
}
