import type { TwinReply } from '../common/server.ts'
import type { Desk } from './desk.ts'
import type { PaymentState } from './model.ts'
import { decimal } from './amounts.ts'

/** Shops load these files from another origin and may check an integrity hash. */
const ANY_ORIGIN = { 'access-control-allow-origin': '*' }
const HTML = { 'content-type': 'text/html; charset=utf-8' }

/** The issuer's page. */
export function challengePage(payment: PaymentState): TwinReply {
  const { amount, merchantAccount, card } = payment
  return {
    status: 200,
    headers: HTML,
    body: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Confirm your payment</title></head>
<body><main>
<h1>Confirm your payment</h1>
<p>${escaped(merchantAccount)} asks for ${decimal(amount)} ${escaped(amount.currency)} from the card ending in ${escaped(card.lastFour)}.</p>
<form method="post">
<button name="decision" value="approve">Approve</button>
<button name="decision" value="decline">Decline</button>
</form>
</main></body></html>`,
  }
}

/** Sends the shopper back to the shop. The first decision counts. */
export function decideChallenge(desk: Desk, payment: PaymentState, approved: boolean): TwinReply {
  if (payment.challenge === 'open') desk.push({ type: 'challenge', psp: payment.psp, approved })
  const back = new URL(payment.returnUrl ?? 'about:blank')
  back.searchParams.set('redirectResult', payment.redirect?.result ?? '')
  return { status: 303, headers: { ...HTML, location: back.href }, body: '' }
}

export function unknownChallenge(): TwinReply {
  return {
    status: 404,
    headers: HTML,
    body: '<!doctype html><title>Unknown payment</title><h1>Unknown payment</h1>',
  }
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/**
 * A small stand-in for Adyen Web 6: `AdyenCheckout(configuration)` and `new AdyenWeb.Card(checkout, options).mount(node)`.
 * The fields are plain inputs, and their "encrypted" values have the `test_` form that Adyen takes in its test environment.
 */
export function componentScript(): TwinReply {
  return {
    status: 200,
    headers: { ...ANY_ORIGIN, 'content-type': 'text/javascript; charset=utf-8' },
    body: SCRIPT,
  }
}

export function componentStyle(): TwinReply {
  return { status: 200, headers: { ...ANY_ORIGIN, 'content-type': 'text/css; charset=utf-8' }, body: STYLE }
}

const STYLE = `.adyen-checkout__card-input label { display: block; margin-block: 0.5rem; }
.adyen-checkout__card-input input { display: block; font: inherit; inline-size: 100%; box-sizing: border-box; }
`

const SCRIPT = `(() => {
  const FIELDS = [
    ['encryptedCardNumber', 'Card number', 'cc-number', /^\\d{12,19}$/],
    ['encryptedExpiryDate', 'Expiry date', 'cc-exp', /^\\d\\d\\/\\d\\d$/],
    ['encryptedSecurityCode', 'Security code', 'cc-csc', /^\\d{3,4}$/],
    ['holderName', 'Name on card', 'cc-name', /./],
  ]

  async function AdyenCheckout(configuration) {
    if (!/^test_/.test(configuration.clientKey ?? '')) throw new Error('clientKey must be a test key')
    return { options: configuration }
  }

  class Card {
    constructor(checkout, options = {}) {
      this.checkout = checkout
      this.props = { hasHolderName: false, showPayButton: true, ...checkout.options, ...options }
      this.inputs = new Map()
    }

    get state() {
      const values = Object.fromEntries([...this.inputs].map(([name, input]) => [name, input.value.replaceAll(' ', '')]))
      const [month = '', year = ''] = (values.encryptedExpiryDate ?? '').split('/')
      const seal = (value) => (value ? 'test_' + value : undefined)
      const holderName = this.inputs.get('holderName')?.value.trim()
      return {
        isValid: this.isValid,
        data: {
          paymentMethod: {
            type: 'scheme',
            ...(this.props.hasHolderName && { holderName }),
            encryptedCardNumber: seal(values.encryptedCardNumber),
            encryptedExpiryMonth: seal(month),
            encryptedExpiryYear: seal(year && '20' + year),
            encryptedSecurityCode: seal(values.encryptedSecurityCode),
          },
          browserInfo: {
            acceptHeader: '*/*',
            colorDepth: screen.colorDepth,
            language: navigator.language,
            javaEnabled: false,
            screenHeight: screen.height,
            screenWidth: screen.width,
            userAgent: navigator.userAgent,
            timeZoneOffset: new Date().getTimezoneOffset(),
          },
          origin: location.origin,
          clientStateDataIndicator: true,
        },
      }
    }

    get data() {
      return this.state.data
    }

    get isValid() {
      return FIELDS.every(([name, , , form]) => {
        const input = this.inputs.get(name)
        return !input || form.test(input.value.replaceAll(' ', ''))
      })
    }

    mount(target) {
      const root = typeof target === 'string' ? document.querySelector(target) : target
      if (!root) throw new Error('Component could not mount. Root node was not found.')
      const box = document.createElement('div')
      box.className = 'adyen-checkout__card-input'
      for (const [name, label, autocomplete] of FIELDS) {
        if (name === 'holderName' && !this.props.hasHolderName) continue
        const input = document.createElement('input')
        input.autocomplete = autocomplete
        input.dataset.cse = name
        input.addEventListener('input', () => this.props.onChange?.(this.state, this))
        this.inputs.set(name, input)
        const caption = document.createElement('label')
        caption.append(label, input)
        box.append(caption)
      }
      if (this.props.showPayButton) {
        const button = document.createElement('button')
        button.type = 'button'
        button.className = 'adyen-checkout__button--pay'
        button.textContent = 'Pay'
        button.addEventListener('click', () => this.submit())
        box.append(button)
      }
      root.replaceChildren(box)
      this.root = root
      queueMicrotask(() => this.props.onReady?.())
      return this
    }

    submit() {
      if (!this.isValid) return this.showValidation()
      const actions = { resolve: () => {}, reject: () => {} }
      this.props.onSubmit?.(this.state, this, actions)
    }

    showValidation() {
      for (const [name, , , form] of FIELDS) {
        const input = this.inputs.get(name)
        input?.setAttribute('aria-invalid', String(!form.test(input.value.replaceAll(' ', ''))))
      }
      return this
    }

    setStatus() {
      return this
    }

    unmount() {
      this.root?.replaceChildren()
      return this
    }

    remove() {
      this.unmount()
    }
  }

  globalThis.AdyenCheckout = AdyenCheckout
  globalThis.AdyenWeb = { AdyenCheckout, Card }
})()
`
