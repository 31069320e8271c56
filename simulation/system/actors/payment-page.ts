import { setTimeout as sleep } from 'node:timers/promises'
import type { OrderModel } from '../model/order-model.ts'
import type { OrderStep } from '../plan/draw-orders.ts'
import type { Business } from './business.ts'

const NUMBERS = {
  approves: '4242424242424242',
  declines: '4000000000000341',
  stolen: '4000000000009979',
} as const
const PAUSE_MS = 200
/** More than four minutes, which a restart of all processes may take on a busy machine. */
const MAX_TRIES = 1_500

/** The payer opens the page in several windows and sends each form several times at once. */
export async function payByPage(
  business: Business,
  model: OrderModel,
  link: string,
  { windows, sends }: OrderStep & { do: 'page' },
): Promise<void> {
  // Pages of other acquirers have a component of theirs, which needs a browser.
  if (business.acquirer.name !== 'simulator') return
  const end = model.begin()
  const attempts = await Promise.all(Array.from({ length: windows }, () => openPage(business, link)))
  const forms = attempts.flatMap((attempt) => (attempt === undefined ? [] : [attempt]))
  model.pageForms += forms.length
  await Promise.all(
    forms.flatMap((attempt) =>
      Array.from({ length: sends }, () => sendForm(business, link, attempt, NUMBERS[model.life.card])),
    ),
  )
  end()
}

/** The id of the form; undefined when the order cannot be paid any more. */
async function openPage(business: Business, link: string): Promise<string | undefined> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const response = await visit(business, link)
    if (response?.ok === true || response?.status === 410) {
      return /name="attempt" value="([\w-]+)"/.exec(await response.text())?.[1]
    }
    await sleep(PAUSE_MS)
  }
  throw new Error(`the page ${link} did not open`)
}

/** A payer who gets no response sends the form again. */
async function sendForm(business: Business, link: string, attempt: string, number: string): Promise<void> {
  const form = { attempt, method: 'credit_card', number, expiry: '12/49', cvc: '123', name: 'CHAN TAI MAN' }
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const response = await visit(business, link, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(form),
    })
    await response?.arrayBuffer()
    if (response !== undefined && response.status < 500) return
    await sleep(PAUSE_MS)
  }
}

async function visit(business: Business, link: string, request?: RequestInit): Promise<Response | undefined> {
  const { pathname, search } = new URL(link)
  return fetch(new URL(`${pathname}${search}`, business.merchant.sandbox.base_url), request).catch(
    () => undefined,
  )
}
