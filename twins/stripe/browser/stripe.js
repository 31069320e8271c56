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
    Object.assign(field, { name, placeholder, autocomplete: 'off', inputMode: 'numeric' })
    field.setAttribute('aria-label', label)
    return field
  }

  const FIELDS_OF = { cardNumber: ['number'], cardExpiry: ['expiry'], cardCvc: ['cvc'] }
  const BRANDS = { 3: 'amex', 4: 'visa', 5: 'mastercard', 6: 'discover' }

  /** The code of Stripe.js for what is wrong with a value; undefined if nothing is. */
  function faultOf(name, value) {
    const digits = value.replace(/\D/g, '')
    if (name === 'number') {
      if (digits.length < 12) return 'incomplete_number'
      const sum = [...digits].reverse().reduce((total, digit, index) => {
        const weighted = Number(digit) * (index % 2 === 0 ? 1 : 2)
        return total + (weighted > 9 ? weighted - 9 : weighted)
      }, 0)
      return sum % 10 === 0 ? undefined : 'invalid_number'
    }
    if (name === 'cvc') return digits.length < 3 ? 'incomplete_cvc' : undefined
    const [, month, year] = /^(\d\d) *\/? *(\d\d)$/.exec(value.trim()) ?? []
    if (month === undefined || Number(month) < 1 || Number(month) > 12) return 'incomplete_expiry'
    const now = new Date()
    const isPast = 2000 + Number(year) < now.getFullYear()
    return isPast ? 'invalid_expiry_year_past' : undefined
  }

  function createElement(type, { style, classes } = {}) {
    const fields = {
      number: input('cardnumber', 'Credit or debit card number', '1234 1234 1234 1234'),
      expiry: input('exp-date', 'Credit or debit card expiration date', 'MM / YY'),
      cvc: input('cvc', 'Credit or debit card CVC/CVV', 'CVC'),
    }
    const names = FIELDS_OF[type] ?? Object.keys(fields)
    const shown = names.map((name) => fields[name])
    const listeners = {}
    let place = null
    const emit = (event, detail = {}) => {
      for (const listener of listeners[event] ?? []) listener({ elementType: type, ...detail })
    }
    const faults = () => names.map((name) => faultOf(name, fields[name].value)).filter(Boolean)
    const isComplete = () => faults().length === 0
    const change = (isLeft) => {
      const [code] = faults()
      const isEmpty = shown.every((field) => field.value === '')
      // While the payer types, only what can no longer become right is an error.
      const isError = code !== undefined && !isEmpty && (isLeft || code.startsWith('invalid'))
      place?.classList.toggle(classes?.invalid ?? 'StripeElement--invalid', isError)
      emit('change', {
        complete: isComplete(),
        empty: isEmpty,
        error: isError ? { type: 'validation_error', code, message: code } : undefined,
        ...(names.includes('number') && { brand: BRANDS[fields.number.value[0]] ?? 'unknown' }),
      })
    }
    for (const field of shown) {
      Object.assign(field.style, {
        background: 'none',
        border: '0',
        outline: '0',
        padding: '0',
        width: '100%',
      })
      Object.assign(field.style, style?.base)
      field.addEventListener('input', () => change(false))
      for (const event of ['focus', 'blur']) {
        field.addEventListener(event, () => {
          place?.classList.toggle(classes?.focus ?? 'StripeElement--focus', event === 'focus')
          if (event === 'blur') change(true)
          emit(event)
        })
      }
    }
    const element = {
      _type: type,
      _values: () => Object.fromEntries(names.map((name) => [name, fields[name].value])),
      _isComplete: isComplete,
      mount(target) {
        place = typeof target === 'string' ? document.querySelector(target) : target
        place.classList.add(classes?.base ?? 'StripeElement')
        place.replaceChildren(...shown)
        const label = document.querySelector(`label[for="${CSS.escape(place.id)}"]`)
        label?.addEventListener('click', () => shown[0].focus())
        queueMicrotask(() => emit('ready'))
      },
      unmount() {
        for (const field of shown) field.remove()
      },
      on(event, listener) {
        ;(listeners[event] ??= []).push(listener)
        return element
      },
      once: (event, listener) => element.on(event, listener),
      update() {},
      focus: () => shown[0].focus(),
      clear() {
        for (const field of shown) field.value = ''
      },
    }
    element.destroy = () => element.unmount()
    return element
  }

  function createElements() {
    const created = []
    const elements = {
      create(type, options) {
        const element = createElement(type, options)
        element._card = () => cardOf(created)
        created.push(element)
        return element
      },
      getElement: (type) => created.find((element) => element._type === type) ?? created.at(-1) ?? null,
      update() {},
      submit: async () => {
        if (created.length > 0 && created.every((element) => element._isComplete())) return {}
        return {
          error: {
            type: 'validation_error',
            code: 'incomplete',
            message: 'Your card details are incomplete.',
          },
        }
      },
      _element: () => created.at(-1) ?? null,
    }
    return elements
  }

  function cardOf(created) {
    const { number, expiry = '', cvc } = Object.assign({}, ...created.map((element) => element._values()))
    const [month, year] = expiry.split('/').map((part) => part.trim())
    return { number, exp_month: month, exp_year: year, cvc }
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
