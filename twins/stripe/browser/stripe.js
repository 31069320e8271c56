/**
 * A small Stripe.js for browser tests against the twin: card and payment elements as plain inputs, and the calls that the
 * hosted pages make. It talks to the origin that served it.
 */
;(() => {
  const API = new URL(document.currentScript.src).origin

  function encode(value, name, pairs = []) {
    if (value === undefined || value === null) return pairs
    if (typeof value !== 'object') return [...pairs, [name, String(value)]]
    return Object.entries(value).reduce(
      (all, [key, inner]) => encode(inner, name === '' ? key : `${name}[${key}]`, all),
      pairs,
    )
  }

  async function call(key, method, path, params) {
    const query = new URLSearchParams(encode(params, ''))
    const target = method === 'GET' ? `${API}${path}?${query.toString()}` : `${API}${path}`
    const answer = await fetch(target, {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(method === 'POST' && { body: query }),
    })
    return answer.json()
  }

  function input(name, label, placeholder) {
    const field = document.createElement('input')
    Object.assign(field, { name, placeholder, autocomplete: 'off' })
    field.setAttribute('aria-label', label)
    return field
  }

  function createElement(type) {
    const fields = {
      number: input('cardnumber', 'Card number', '1234 1234 1234 1234'),
      expiry: input('exp-date', 'Expiration date', 'MM / YY'),
      cvc: input('cvc', 'Security code', 'CVC'),
    }
    const listeners = {}
    const emit = (event, detail = {}) => {
      for (const listener of listeners[event] ?? []) listener({ elementType: type, ...detail })
    }
    const isComplete = () => Object.values(fields).every((field) => field.value.trim() !== '')
    for (const field of Object.values(fields)) {
      field.addEventListener('input', () => emit('change', { complete: isComplete(), empty: false }))
    }
    const element = {
      _type: type,
      _card() {
        const [month, year] = fields.expiry.value.split('/').map((part) => part.trim())
        return { number: fields.number.value, exp_month: month, exp_year: year, cvc: fields.cvc.value }
      },
      _isComplete: isComplete,
      mount(target) {
        const place = typeof target === 'string' ? document.querySelector(target) : target
        place.replaceChildren(...Object.values(fields))
        queueMicrotask(() => emit('ready'))
      },
      unmount() {
        for (const field of Object.values(fields)) field.remove()
      },
      on(event, listener) {
        ;(listeners[event] ??= []).push(listener)
        return element
      },
      once: (event, listener) => element.on(event, listener),
      update() {},
      focus: () => fields.number.focus(),
      clear() {
        for (const field of Object.values(fields)) field.value = ''
      },
    }
    element.destroy = () => element.unmount()
    return element
  }

  function createElements() {
    let last = null
    const elements = {
      create(type) {
        last = createElement(type)
        return last
      },
      getElement: () => last,
      update() {},
      submit: async () => {
        if (last !== null && last._isComplete()) return {}
        return {
          error: {
            type: 'validation_error',
            code: 'incomplete',
            message: 'Your card details are incomplete.',
          },
        }
      },
      _element: () => last,
    }
    return elements
  }

  const cardFrom = ({ elements, card, element }) => elements?._element() ?? card ?? element

  function Stripe(publishableKey) {
    const post = (path, params) => call(publishableKey, 'POST', path, params)

    async function createPaymentMethod(options) {
      const source = cardFrom(options)
      const billing = options.billing_details ?? options.params?.billing_details
      const card = typeof source?._card === 'function' ? source._card() : source
      const answer = await post('/v1/payment_methods', { type: 'card', card, billing_details: billing })
      return answer.error ? { error: answer.error } : { paymentMethod: answer }
    }

    /** Confirms an intent by its client secret, and follows a challenge to its page. */
    async function confirm(kind, path, { elements, clientSecret, confirmParams = {}, redirect = 'always' }) {
      const made = await createPaymentMethod({ elements })
      if (made.error) return made
      const id = clientSecret.split('_secret_')[0]
      const answer = await post(`${path}/${id}/confirm`, {
        client_secret: clientSecret,
        payment_method: made.paymentMethod.id,
        return_url: confirmParams.return_url,
      })
      if (answer.error) return { error: answer.error }
      const next = answer.next_action?.redirect_to_url?.url
      if (next !== undefined) location.assign(next)
      else if (redirect === 'always' && confirmParams.return_url) location.assign(confirmParams.return_url)
      return { [kind]: answer }
    }

    return {
      elements: createElements,
      createPaymentMethod,
      confirmPayment: (options) => confirm('paymentIntent', '/v1/payment_intents', options),
      confirmSetup: (options) => confirm('setupIntent', '/v1/setup_intents', options),
      async handleNextAction({ clientSecret }) {
        const id = clientSecret.split('_secret_')[0]
        const path = id.startsWith('seti_') ? '/v1/setup_intents' : '/v1/payment_intents'
        const intent = await call(publishableKey, 'GET', `${path}/${id}`, { client_secret: clientSecret })
        const next = intent.next_action?.redirect_to_url?.url
        if (next !== undefined) location.assign(next)
        return intent.error ? { error: intent.error } : { paymentIntent: intent }
      },
    }
  }
  Stripe.version = 3
  window.Stripe = Stripe
})()
