// A small stand-in for @airwallex/components-sdk: a card form that confirms the intent in the browser.
;(() => {
  const origin = new URL(document.currentScript.src).origin

  function createElement(type, options = {}) {
    const listeners = {}
    const emit = (name, detail) => (listeners[name] ?? []).forEach((listener) => listener({ detail }))
    const fields = {}
    const field = (root, name, label, value = '') => {
      const holder = document.createElement('label')
      holder.textContent = label
      const input = document.createElement('input')
      input.name = `airwallex_${name}`
      input.value = value
      input.autocomplete = 'off'
      holder.append(input)
      root.append(holder)
      fields[name] = input
    }
    const isRecurring = options.mode === 'recurring'
    if (isRecurring && !options.customer_id) throw new Error('customer_id is required when mode is recurring')
    async function confirm({ client_secret: secret, intent_id: id, ...more }) {
      const card = {
        number: fields.number.value.replaceAll(' ', ''),
        expiry_month: fields.expiry.value.slice(0, 2),
        expiry_year: `20${fields.expiry.value.slice(-2)}`,
        cvc: fields.cvc.value,
      }
      const response = await fetch(`${origin}/api/v1/pa/payment_intents/${id}/confirm`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          request_id: crypto.randomUUID(),
          payment_method: { type: 'card', card },
          return_url: location.href,
          ...(isRecurring && { customer_id: options.customer_id, payment_consent: options.payment_consent }),
          ...(more.payment_method_options && { payment_method_options: more.payment_method_options }),
        }),
      })
      const answer = await response.json()
      if (!response.ok) {
        emit('error', { error: answer })
        throw Object.assign(new Error(answer.message), { code: answer.code })
      }
      const action = answer.next_action
      if (action?.url) location.assign(action.url)
      else emit('success', { intent: answer })
      return answer
    }
    return {
      mount(target) {
        const root = typeof target === 'string' ? document.getElementById(target) : target
        field(root, 'number', 'Card number')
        field(root, 'expiry', 'MM/YY')
        field(root, 'cvc', 'CVC')
        if (type === 'dropIn') {
          const button = document.createElement('button')
          button.type = 'button'
          button.textContent = 'Pay'
          button.addEventListener('click', () => {
            confirm({ client_secret: options.client_secret, intent_id: options.intent_id }).catch(() => {})
          })
          root.append(button)
          const offered = { applepay: 'applePayRequestOptions', googlepay: 'googlePayRequestOptions' }
          for (const [wallet, option] of Object.entries(offered)) {
            if (!options.methods?.includes(wallet) || !options[option]?.countryCode) continue
            const walletButton = document.createElement('button')
            walletButton.type = 'button'
            walletButton.textContent = wallet
            root.append(walletButton)
          }
        }
        queueMicrotask(() => emit('ready', {}))
        return root
      },
      on: (name, listener) => (listeners[name] ??= []).push(listener),
      confirm,
      unmount() {},
      destroy() {},
    }
  }

  globalThis.AirwallexComponentsSDK = {
    init: async () => ({ payments: { createElement } }),
    createElement: async (type, options) => createElement(type, options),
  }
})()
