/*
 * Mounts the acquirer's own card fields, so that the card goes from the payer's browser to the acquirer and never to our
 * service. The page's policy allows the origins of this one acquirer.
 */
const MAX_LOADING_MS = 20_000
/** Adyen's card fields do not depend on it. Airwallex's component offers Apple Pay and Google Pay with a country only. */
const COUNTRY = 'HK'
const ADYEN_BRANDS = ['visa', 'mc', 'amex', 'discover', 'diners', 'jcb', 'cup']

/**
 * @param place the element with the configuration, from `componentFields`
 * @returns fields with `collect()`, which resolves to `{ data }` or `{ problems }`, and `focus(name)`
 */
export function mountComponent(place) {
  const configuration = JSON.parse(place.dataset.component)
  const loading = place.querySelector('[data-loading]')
  const failed = place.querySelector('[data-failed]')
  const fields = place.querySelector('[data-fields]')
  const mount = MOUNTS[configuration.acquirer]
  loading.hidden = false
  // The acquirer's frames measure themselves, so their container must not be hidden.
  fields.hidden = false
  fields.inert = true
  const mounted = withTimeout(load(configuration).then(() => mount(place, configuration)))
  const showReady = () => {
    loading.hidden = true
    fields.inert = false
  }
  const showFailure = () => {
    loading.hidden = true
    fields.hidden = true
    failed.textContent = configuration.says.failed
    failed.hidden = false
  }
  mounted.then(showReady).catch(showFailure)
  return {
    collect: async () => {
      const ready = await mounted.catch(() => null)
      if (ready === null) return { problems: { method: configuration.says.failed } }
      return ready.collect().catch(() => ({ problems: { method: configuration.says.network } }))
    },
    focus: (name) => mounted.then((ready) => ready.focus(name)).catch(() => {}),
  }
}

const MOUNTS = { stripe: mountStripe, adyen: mountAdyen, airwallex: mountAirwallex }

function withTimeout(promise) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the component did not load in time')), MAX_LOADING_MS)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

const loaded = new Map()

async function load({ scriptUrl, styleUrl }) {
  if (styleUrl !== null) {
    const attributes = { rel: 'stylesheet', href: styleUrl }
    if (!loaded.has(styleUrl)) loaded.set(styleUrl, append('link', attributes))
    await loaded.get(styleUrl)
  }
  if (!loaded.has(scriptUrl)) loaded.set(scriptUrl, append('script', { src: scriptUrl }))
  try {
    await loaded.get(scriptUrl)
  } catch (error) {
    loaded.delete(scriptUrl)
    throw error
  }
}

function append(tag, attributes) {
  return new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement(tag), attributes)
    element.addEventListener('load', resolve)
    element.addEventListener('error', () => reject(new Error(`${tag} was not loaded`)))
    document.head.append(element)
  })
}

async function mountStripe(place, { publicKey, locale, says }) {
  const stripe = globalThis.Stripe(publicKey)
  const elements = stripe.elements({ locale })
  const { color, fontFamily } = getComputedStyle(place)
  const soft = getComputedStyle(place.querySelector('.hint')).color
  const bad = getComputedStyle(place.querySelector('.field-problem')).color
  const options = {
    classes: { focus: 'focused', invalid: 'invalid' },
    style: {
      base: { color, fontFamily, fontSize: '16px', lineHeight: '20px', '::placeholder': { color: soft } },
      invalid: { color: bad, iconColor: bad },
    },
  }
  const types = { number: 'cardNumber', expiry: 'cardExpiry', cvc: 'cardCvc' }
  const fields = Object.entries(types).map(([name, type]) => ({
    name,
    element: elements.create(type, name === 'number' ? { ...options, showIcon: true } : options),
    change: { empty: true, complete: false },
  }))
  const brand = () => fields[0].change.brand
  const problemOf = ({ name, change }) => {
    if (change.complete) return ''
    if (name === 'cvc') return brand() === 'amex' ? says.cvc4 : says.cvc3
    if (name === 'number') return change.empty ? says.numberMissing : says.numberInvalid
    return change.error?.code?.includes('past') ? says.expiryPast : says.expiryInvalid
  }
  for (const field of fields) {
    field.element.on('change', (change) => {
      field.change = change
      showProblem(place, field.name, change.error === undefined ? '' : problemOf(field))
    })
  }
  await Promise.all(
    fields.map(
      ({ name, element }) =>
        new Promise((resolve, reject) => {
          element.on('ready', resolve)
          element.on('loaderror', () => reject(new Error('a field was not loaded')))
          element.mount(place.querySelector(`#${name}`))
        }),
    ),
  )
  const name = place.querySelector('input[name=name]')
  return {
    focus: (field) => fields.find((one) => one.name === field)?.element.focus(),
    collect: async () => {
      const problems = Object.fromEntries(
        fields.map((field) => [field.name, problemOf(field)]).filter(([, problem]) => problem !== ''),
      )
      if (name.value.trim() === '') problems.name = says.nameMissing
      if (Object.keys(problems).length > 0) return { problems }
      const { paymentMethod, error } = await stripe.createPaymentMethod({
        type: 'card',
        card: fields[0].element,
        billing_details: { name: name.value.trim() },
      })
      return paymentMethod === undefined
        ? { problems: stripeProblems(error, says) }
        : { data: paymentMethod.id }
    },
  }
}

function stripeProblems({ type, code = '' }, says) {
  if (/number/.test(code)) return { number: says.numberInvalid }
  if (/expired|past/.test(code)) return { expiry: says.expiryPast }
  if (/expiry/.test(code)) return { expiry: says.expiryInvalid }
  if (/cvc/.test(code)) return { cvc: says.cvc3 }
  return { method: type === 'card_error' ? says.refused : says.network }
}

async function mountAdyen(place, { publicKey, environment, locale, says }) {
  const { AdyenCheckout, Card } = globalThis.AdyenWeb
  const checkout = await AdyenCheckout({
    clientKey: publicKey,
    environment,
    locale,
    countryCode: COUNTRY,
    analytics: { enabled: false },
  })
  const card = await new Promise((resolve, reject) => {
    const component = new Card(checkout, {
      autoFocus: false,
      brands: ADYEN_BRANDS,
      hasHolderName: true,
      holderNameRequired: true,
      showPayButton: false,
      onReady: () => resolve(component),
      onError: reject,
      onChange: ({ isValid }) => {
        if (isValid) showProblem(place, 'component', '')
      },
    })
    component.mount(place.querySelector('#component'))
  })
  return {
    focus: () => {},
    collect: async () => {
      if (card.isValid) return { data: JSON.stringify(card.data.paymentMethod) }
      card.showValidation()
      return { problems: { component: says.summary } }
    },
  }
}

/**
 * Confirms a payment that exists already. What the component says proves nothing: the page asks our service for the result.
 * Only a card is kept: Apple Pay and Google Pay are left out where one is to be.
 */
async function mountAirwallex(place, { environment, locale, intentId, clientSecret, currency, keepsFor }) {
  const sdk = globalThis.AirwallexComponentsSDK
  await sdk.init({ env: environment === 'live' ? 'prod' : 'demo', locale, enabledElements: ['payments'] })
  const element = await sdk.createElement('dropIn', {
    intent_id: intentId,
    client_secret: clientSecret,
    currency,
    ...(keepsFor === null
      ? {
          methods: ['card', 'applepay', 'googlepay'],
          applePayRequestOptions: { countryCode: COUNTRY },
          googlePayRequestOptions: { countryCode: COUNTRY },
        }
      : {
          methods: ['card'],
          mode: 'recurring',
          customer_id: keepsFor,
          payment_consent: { next_triggered_by: 'merchant', merchant_trigger_reason: 'unscheduled' },
        }),
  })
  const ready = new Promise((resolve, reject) => {
    element.on('ready', resolve)
    element.on('error', reject)
  })
  const sayConfirmed = () => place.dispatchEvent(new CustomEvent('confirmed', { bubbles: true }))
  element.on('success', sayConfirmed)
  element.on('error', sayConfirmed)
  element.mount('component')
  await ready
  return { focus: () => {}, collect: async () => ({ data: '' }) }
}

function showProblem(place, name, problem) {
  place.querySelector(`#${name}-problem`).textContent = problem
}
