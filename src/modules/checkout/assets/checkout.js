/*
 * Sends forms and shows results without a reload; the pages work without it, except where an acquirer's own component collects
 * the card. Card details are not stored here.
 */
const statusElement = document.getElementById('status')

const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = 10_000
const WAIT_GROWTH = 1.15
const MAX_POLLING_MS = 900_000
const SAID_MINUTES = [30, 10, 5, 2, 1]
const DAY_SECONDS = 86_400
const BRANDS = [
  ['amex', /^3[47]/],
  ['diners', /^3(0[0-5]|095|6|[89])/],
  ['jcb', /^35(2[89]|[3-8])/],
  ['visa', /^4/],
  ['mastercard', /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
  ['discover', /^6(011|4[4-9]|5)/],
  ['unionpay', /^(62|81)/],
]

let isPolling = false
let ticking = null
let component = null

if (statusElement !== null) {
  statusElement.addEventListener('submit', (event) => void submit(event))
  statusElement.addEventListener('input', format)
  statusElement.addEventListener('confirmed', () => void showNow())
  void mountComponent()
  startTimers()
  if ('waiting' in statusElement.dataset) void poll()
}

async function submit(event) {
  const form = event.target
  const button = form.querySelector('button[type=submit]')
  if (button.ariaDisabled === 'true') {
    event.preventDefault()
    return
  }
  if (!('busy' in form.dataset)) return
  event.preventDefault()
  const label = button.textContent
  button.ariaDisabled = 'true'
  button.textContent = form.dataset.busy
  const notice = form.querySelector('[data-network]')
  showNotice(form, '')
  try {
    const problems = await collectCard(form)
    if (problems !== null) return showProblems(form, problems)
    const reply = await fetchStatus(form.action, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(Object.fromEntries(new FormData(form))),
    })
    if (reply.limited) showNotice(form, notice.dataset.limited)
    else if (reply.problems === undefined) show(reply, true)
    // The order's summary or the policy of the page is out of date as well, so the form loads the whole page.
    else if ('amount' in reply.problems || 'account' in reply.problems) form.submit()
    else showProblems(form, reply.problems)
  } catch {
    // Sending the same attempt again pays once.
    showNotice(form, notice.dataset.network)
  } finally {
    button.ariaDisabled = null
    button.textContent = label
  }
}

async function mountComponent() {
  component = null
  const place = statusElement.querySelector('[data-component]')
  if (place === null) return
  const script = await import(statusElement.dataset.componentScript)
  if (place.isConnected) component = script.mountComponent(place)
}

async function collectCard(form) {
  const isCard = new FormData(form).get('method') === 'credit_card'
  if (component === null || !isCard || form.elements.component_data === undefined) return null
  const { data, problems } = await component.collect()
  if (problems !== undefined) return problems
  form.elements.component_data.value = data
  return null
}

async function fetchStatus(url, options) {
  const response = await fetch(url, { ...options, cache: 'no-store', credentials: 'same-origin' })
  if (response.status === 429) return { limited: true }
  if (!response.ok && response.status !== 422) throw new Error(String(response.status))
  return response.json()
}

function showNotice(form, sentence) {
  const notice = form.querySelector('[data-network]')
  notice.textContent = sentence
  notice.hidden = sentence === ''
}

function showProblems(form, problems) {
  let first
  showNotice(form, problems.method ?? '')
  for (const field of form.querySelectorAll('.field')) {
    const { name } = field.dataset
    const problem = problems[name] ?? ''
    document.getElementById(`${name}-problem`).textContent = problem
    const input = field.querySelector(`input[name=${name}]`)
    if (problem === '') {
      input?.removeAttribute('aria-invalid')
    } else {
      input?.setAttribute('aria-invalid', 'true')
      first ??= input ?? { focus: () => component?.focus(name) }
    }
  }
  first?.focus()
}

function show(reply, isOwnStep) {
  const hasChanged = isOwnStep || reply.version !== statusElement.dataset.version
  const needsPage = Boolean(reply.loaded_for) && reply.loaded_for !== statusElement.dataset.loadedFor
  if (hasChanged && needsPage) {
    location.reload()
  } else if (hasChanged) {
    statusElement.dataset.version = reply.version
    // The service has escaped every text in this markup.
    statusElement.innerHTML = reply.html
    if (reply.summary !== undefined) document.getElementById('summary').innerHTML = reply.summary
    const next = statusElement.querySelector('[aria-invalid], .saved[open] input:not([type=hidden])')
    ;(next ?? statusElement.querySelector('h2'))?.focus()
    startTimers()
    void mountComponent()
  }
  if (reply.end) location.assign(reply.end)
  else if (isOwnStep && reply.next) location.assign(reply.next)
  else if (isOwnStep && reply.waiting) void poll()
}

async function poll() {
  if (isPolling) return
  isPolling = true
  const endAt = performance.now() + MAX_POLLING_MS
  let waitMs = FIRST_WAIT_MS
  let isWaiting = true
  while (isWaiting && performance.now() < endAt) {
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    waitMs = Math.min(waitMs * WAIT_GROWTH, MAX_WAIT_MS)
    if (document.hidden) await untilVisible()
    try {
      const reply = await fetchStatus(statusElement.dataset.status, {
        headers: { accept: 'application/json' },
      })
      if (reply.limited) continue
      isWaiting = reply.waiting
      show(reply, false)
    } catch {
      // The next poll may succeed.
    }
  }
  isPolling = false
  statusElement.querySelector('.spinner')?.remove()
}

function untilVisible() {
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', resolve, { once: true })
  })
}

function format(event) {
  const input = event.target
  if (input.name === 'number') showBrand(input)
  if (event.isComposing || input.selectionStart !== input.value.length) return
  if (input.name === 'number') {
    const digits = plainDigits(input.value).replace(/\D/g, '')
    const groups = /^3[47]/.test(digits)
      ? /^(\d{0,4})(\d{0,6})(\d{0,5})/
      : /^(\d{0,4})(\d{0,4})(\d{0,4})(\d{0,7})/
    input.value = groups.exec(digits).slice(1).filter(Boolean).join(' ')
  } else if (input.name === 'expiry' && event.inputType?.startsWith('insert')) {
    input.value = expiryText(plainDigits(input.value))
  }
}

function showBrand(input) {
  const mark = input.parentElement.querySelector('.brand-mark')
  const digits = plainDigits(input.value).replace(/\D/g, '')
  const [brand] = BRANDS.find(([, pattern]) => pattern.test(digits)) ?? ['']
  if (brand === mark.dataset.brand) return
  mark.dataset.brand = brand
  mark.replaceChildren()
  for (const accepted of input.closest('.field').querySelectorAll('.accepted-brands > .brand-mark')) {
    const isDetected = accepted.dataset.brand === brand
    accepted.classList.toggle('other', brand !== '' && !isDetected)
    if (isDetected) mark.append(accepted.firstElementChild.cloneNode(true))
  }
}

function startTimers() {
  clearInterval(ticking)
  const timers = [...document.querySelectorAll('[data-seconds]')].map((element) => ({
    element,
    endAt: nowMs() + Number(element.dataset.seconds) * 1_000,
    said: Number(element.dataset.seconds) / 60,
  }))
  if (timers.length > 0) ticking = setInterval(() => timers.forEach(tick), 1_000)
}

function tick(timer) {
  const { element, endAt } = timer
  const seconds = Math.max(0, Math.round((endAt - nowMs()) / 1_000))
  showTime(element, seconds)
  const minutes = SAID_MINUTES.findLast((one) => one * 60 >= seconds)
  if (minutes !== undefined && minutes < timer.said && seconds > 0) {
    timer.said = minutes
    sayPolitely(element.dataset.sentence.replace('{time}', unitText(minutes, 'minute')))
  }
  if (seconds === 0 && element.closest('.saved') === null && !timer.isOver) {
    timer.isOver = true
    void showEnd()
  }
}

function showTime(element, seconds) {
  const time = element.querySelector('.time')
  if (seconds > DAY_SECONDS) {
    time.textContent = daysText(seconds)
    return
  }
  time.textContent = clockText(seconds)
  // The page was sent before the last day, with the sentence that says the end.
  if (element.querySelector('.end') !== null) {
    const [before, after] = element.dataset.sentence.split('{time}')
    element.replaceChildren(before, time, after)
  }
}

function nowMs() {
  // oxlint-disable-next-line no-restricted-globals -- the one clock of a browser that runs while the device sleeps
  return Date.now()
}

/** The service may see the end a moment later than this device. */
async function showEnd() {
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  try {
    show(await fetchStatus(statusElement.dataset.status, { headers: { accept: 'application/json' } }), false)
  } catch {}
}

async function showNow() {
  try {
    show(await fetchStatus(statusElement.dataset.status, { headers: { accept: 'application/json' } }), false)
  } catch {
    // The page polls as well.
  }
}

function clockText(seconds) {
  const [hours, ...rest] = [seconds / 3_600, (seconds % 3_600) / 60, seconds % 60].map(Math.floor)
  const shown = rest.map((part) => String(part).padStart(2, '0')).join(':')
  return hours > 0 ? `${hours}:${shown}` : shown
}

function daysText(seconds) {
  const hours = Math.floor((seconds % DAY_SECONDS) / 3_600)
  const parts = [unitText(Math.floor(seconds / DAY_SECONDS), 'day'), hours > 0 && unitText(hours, 'hour')]
  const list = new Intl.ListFormat(document.documentElement.lang, { type: 'unit', style: 'long' })
  return list.format(parts.filter(Boolean))
}

function unitText(count, unit) {
  const options = { style: 'unit', unit, unitDisplay: 'long', numberingSystem: 'latn' }
  return new Intl.NumberFormat(document.documentElement.lang, options).format(count)
}

function sayPolitely(sentence) {
  document.getElementById('said').textContent = sentence
}

function plainDigits(typed) {
  return typed.normalize('NFKC')
}

function expiryText(typed) {
  const [, month, year] = /^(\d\d|\d(?=\D)|[2-9])\D*(\d{0,4})$/.exec(typed) ?? []
  return month === undefined ? typed : `${month.padStart(2, '0')} / ${year}`
}
