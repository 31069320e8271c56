/*
 * The payment and verification pages work without this script. With it a form is sent and a result shown without a
 * reload. Card details go from the form straight to our own service; nothing is kept.
 */
const panel = document.getElementById('panel')

/** Asks after 1 s at first, every 10 s later on, and stops after a quarter of an hour. */
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 10_000
const GROWTH = 1.15
const PATIENCE_MS = 900_000

let isWatching = false

if (panel !== null) {
  panel.addEventListener('submit', (event) => void send(event))
  panel.addEventListener('input', format)
  if ('waiting' in panel.dataset) void watch()
}

/** Sends a form. A second press while it is under way does nothing. */
async function send(event) {
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
  try {
    const answer = await ask(form.action, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(Object.fromEntries(new FormData(form))),
    })
    if (answer.problems === undefined) show(answer, true)
    // The order beside the form has changed as well: sent without us, the form brings the whole page anew.
    else if ('amount' in answer.problems) form.submit()
    else showProblems(form, answer.problems)
  } catch {
    // The same attempt may be sent again: it is paid once.
    tell(form, form.querySelector('[data-network]').dataset.network)
  } finally {
    button.ariaDisabled = null
    button.textContent = label
  }
}

async function ask(address, options) {
  const response = await fetch(address, { ...options, cache: 'no-store', credentials: 'same-origin' })
  if (!response.ok && response.status !== 422) throw new Error(String(response.status))
  return response.json()
}

function tell(form, sentence) {
  const notice = form.querySelector('[data-network]')
  notice.textContent = sentence
  notice.hidden = sentence === ''
}

function showProblems(form, problems) {
  let first
  tell(form, problems.method ?? '')
  for (const input of form.querySelectorAll('.field input')) {
    const problem = problems[input.name] ?? ''
    document.getElementById(`${input.name}-problem`).textContent = problem
    if (problem === '') {
      input.removeAttribute('aria-invalid')
    } else {
      input.setAttribute('aria-invalid', 'true')
      first ??= input
    }
  }
  first?.focus()
}

/** Puts the panel of an answer in place of the one that is there, which forgets what was typed into it, and the order beside it. */
function show(answer, isOwnStep) {
  const hasChanged = isOwnStep || answer.version !== panel.dataset.version
  if (hasChanged && answer.reload) {
    location.reload()
  } else if (hasChanged) {
    panel.dataset.version = answer.version
    // Our own markup, in which the service has escaped every text.
    panel.innerHTML = answer.html
    if (answer.summary !== undefined) document.getElementById('summary').innerHTML = answer.summary
    panel.querySelector('h2')?.focus()
  }
  if (answer.end) location.assign(answer.end)
  else if (isOwnStep && answer.next) location.assign(answer.next)
  else if (isOwnStep && answer.waiting) void watch()
}

/** Asks what became of it until it is known. A page in the background is left alone. */
async function watch() {
  if (isWatching) return
  isWatching = true
  const giveUpAt = performance.now() + PATIENCE_MS
  let waitMs = FIRST_WAIT_MS
  let isWaiting = true
  while (isWaiting && performance.now() < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    waitMs = Math.min(waitMs * GROWTH, LONGEST_WAIT_MS)
    if (document.hidden) await comesBack()
    try {
      const answer = await ask(panel.dataset.status, { headers: { accept: 'application/json' } })
      isWaiting = answer.waiting
      show(answer, false)
    } catch {
      // The next time may do.
    }
  }
  isWatching = false
  // Nobody asks any more: the link to ask again stays, the sign of asking goes.
  panel.querySelector('.spinner')?.remove()
}

function comesBack() {
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', resolve, { once: true })
  })
}

/** Writes digits as they stand on the card, as long as the caret is at the end. */
function format(event) {
  const input = event.target
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

/** A Chinese keyboard may write full-width digits. */
function plainDigits(typed) {
  return typed.normalize('NFKC')
}

/** `04 / 29` of what was typed so far, with a separator or without, which may have been written already. */
function expiryText(typed) {
  // A month of one digit is one that a separator follows, or that no second digit could follow.
  const [, month, year] = /^(\d\d|\d(?=\D)|[2-9])\D*(\d{0,4})$/.exec(typed) ?? []
  return month === undefined ? typed : `${month.padStart(2, '0')} / ${year}`
}
