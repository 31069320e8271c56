import { afterAll, expect, test } from 'vitest'
import { seriousFaults } from '../checkout-browser.ts'
import { createUser, signedIn, startConsole, visit } from './console-browser.ts'
import { monthly } from '../harness/client.ts'

const OWNER = 'owner@example.com'
const scenario = await startConsole()
const { client, url } = scenario
await createUser(scenario, OWNER)
const { page, context, pageErrors } = await signedIn(scenario, OWNER)
afterAll(() => context.close())

const customer = await client.createCustomer()
await client.bindCard(customer.uuid, '4242424242424242', { default: true })
const item = await client.createItem(90)

async function newPlan(members: object = {}) {
  return client.createPlan({
    customer_uuid: customer.uuid,
    recurring_cycles: monthly(item),
    ...members,
  })
}

interface Action {
  readonly button: string
  readonly effect: RegExp
  readonly confirm: string
  readonly choose?: string
  readonly date?: readonly [label: string, value: string]
  readonly check?: string
}

/** Presses a button of the page, fills the dialog that it opens, checks what it says, and confirms it. */
async function act({ button, effect, confirm, choose, date, check }: Action): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  if (choose !== undefined) await dialog.getByRole('radio', { name: choose, exact: true }).click()
  if (date !== undefined) await dialog.getByLabel(date[0]).fill(date[1])
  if (check !== undefined) await dialog.getByRole('checkbox', { name: check }).click()
  await dialog.getByText(effect).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: confirm, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

// Proves reference/billing-lifecycle#pause-until, reference/billing-lifecycle#uncancel, reference/billing-lifecycle#terms, reference/billing-lifecycle#cancel-unused, reference/billing-lifecycle#reactivate.
test('a plan is paused until a day, kept after a cancellation, canceled with a refund, and reactivated', async () => {
  const plan = await newPlan({ terms: { minimum: 'P6M' } })
  await client.advanceBy('PT1M')
  await visit(page, `${url}/plans/${plan.id}`)
  await page.getByText('minimum 6 months').waitFor()
  const until = (await client.now()).add({ hours: 24 * 20 }).toString().slice(0, 10)
  await act({
    button: 'Pause',
    effect: /nothing is charged until you resume it/,
    confirm: 'Pause plan',
    date: ['Paused until', until],
  })
  expect((await client.getPlan(plan.id)).pause_until).toBeDefined()
  await act({ button: 'Resume', effect: /Nothing is billed for the pause/, confirm: 'Resume plan' })
  await act({ button: 'Cancel', effect: /the end of the term .*minimum 6 months/, confirm: "Cancel at the period's end" })
  await act({ button: 'Keep', effect: /It goes on/, confirm: 'Keep the plan' })
  expect((await client.getPlan(plan.id)).cancel_at).toBeUndefined()
  await act({
    button: 'Cancel',
    effect: /the rest is refunded/,
    confirm: 'Cancel now',
    choose: 'At once',
    check: 'Refund the days that are left of the period',
  })
  const { current_order: order } = await client.getPlan(plan.id)
  const refunded = async () => (await client.checkOrder(order.order_number)).state
  await expect.poll(refunded).toBe('refunded')
  await act({ button: 'Reactivate', effect: /The billing dates stay/, confirm: 'Reactivate plan', choose: 'What was missed, too' })
  expect((await client.getPlan(plan.id)).state).toBe('active')
}) // prettier-ignore

// Proves reference/billing-lifecycle#trials.
test('the end of a trial is moved to another day, and then to now', async () => {
  const plan = await newPlan({ trial: { days: 10 } })
  await visit(page, `${url}/plans/${plan.id}`)
  await page.getByText('Trial until').waitFor()
  const end = (await client.now())
    .add({ hours: 24 * 40 })
    .toString()
    .slice(0, 10)
  await act({
    button: 'Trial',
    effect: /made at the new end/,
    confirm: 'Move the end',
    date: ['New end, at 00:00', end],
  })
  await act({
    button: 'Trial',
    effect: /The first order is made now/,
    confirm: 'End the trial now',
    choose: 'Now',
  })
  await client.advanceBy('PT1M')
  await expect.poll(async () => (await client.getPlan(plan.id)).trial.state).toBe('converted')
})

test('no page wrote an error', () => {
  expect(pageErrors).toEqual([])
})
