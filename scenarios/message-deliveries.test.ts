import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '#platform/embedded-postgres/free-port'
import { type MailServer, startMailServer } from '#platform/mail/testing/mail-server'
import { createMigratedDatabase } from '#platform/testing/database'
import { until } from '#platform/testing/until'
import { MESSAGE_LANGUAGES } from '../src/modules/messages/rendering/words.ts'
import { cardToBind, Client } from './harness/client.ts'
import { startService } from './harness/service.ts'

const B = '/svc/billing/api/v1/openapi'
const PLANS = '/svc/payment/api/v1/openapi/recurring_payments/plan'
const GOOD = '4242424242424242'
const DECLINING = '4000000000000341'
const KINDS = [
  'receipt',
  'invoice',
  'credit_note',
  'payment_failed',
  'payment_reminder',
  'plan_canceled',
  'trial_ending',
  'renewal_ahead',
  'card_expiring',
  'portal_link',
]
/** Rendered anew for a later try: with another link to the portal, or without asking for what was credited meanwhile. */
const SAID_ANEW = new Set(['payment_failed', 'card_expiring', 'portal_link', 'invoice'])
/** What a process sends at a time, so what may arrive again after a kill. */
const UNDER_WAY = 50

let isFaulty = true
const tries = new Map<string, number>()
const cut = new Set<string>()

/** Of the first tries a third gets 451, and a third is taken and loses its connection before the answer. */
function afterData(messageId: string): 'accept' | 'defer' | 'cut' {
  const before = tries.get(messageId) ?? 0
  tries.set(messageId, before + 1)
  if (!isFaulty || before > 0) return 'accept'
  const what = (['accept', 'defer', 'cut'] as const)[tries.size % 3] ?? 'accept'
  if (what === 'cut') cut.add(messageId)
  return what
}

const mailPort = await freePort()
const servers: MailServer[] = []
async function openMailServer(): Promise<void> {
  servers.push(await startMailServer({ afterData, port: mailPort }))
}
const closeMailServer = () => servers.at(-1)?.close()
const received = () => servers.flatMap((server) => server.received)

await openMailServer()
const dataDir = await mkdtemp(join(tmpdir(), 'quittance-deliveries-'))
const port = await freePort()
const env = {
  DATABASE_URL: await createMigratedDatabase(),
  RATE_LIMIT: '0',
  SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
  MAIL_FROM: 'The Shop <pay@shop.example>',
}
const start = () => startService({ dataDir, port, env })
let service = await start()
const client = new Client(service.sandbox)
afterAll(async () => {
  await service.stop()
  await closeMailServer()
  await rm(dataDir, { recursive: true, force: true })
})

/** The ids of mails that arrived shortly before a kill. */
const beforeKills = new Set<string>()
async function kill(): Promise<void> {
  await service.stop('SIGKILL')
  for (const { headers } of received().slice(-2 * UNDER_WAY)) beforeKills.add(String(headers['message-id']))
  service = await start()
}

/** A kill may come before the advance is stored: then it is asked for again. */
async function advance(by: string, meanwhile?: () => Promise<void>): Promise<void> {
  const to = (await client.now()).toZonedDateTimeISO('UTC').add(Temporal.Duration.from(by)).toInstant()
  const advanced = client.advanceTo(to.toString()).catch(() => {})
  await meanwhile?.()
  await advanced
  await until(async () => {
    if (Temporal.Instant.compare(await client.now(), to) >= 0) return true
    await client.advanceTo(to.toString()).catch(() => {})
    return false
  }, 120_000)
}

interface Message {
  readonly id: string
  readonly kind: string
  readonly state: string
  readonly to: string
  readonly language: string
  readonly text: string
  readonly object_id: string
  readonly message_id: string
}

const messages = (filter: string): Promise<Message[]> => client.all(`${B}/messages`, 'messages', { filter })

/** Reads one message at most, because it is asked many times while a hundred are sent. */
async function areAllSent(): Promise<boolean> {
  const filter = encodeURIComponent('state = queued')
  return (await client.ok('GET', `${B}/messages?limit=1&filter=${filter}`)).messages.length === 0
}

async function newPlan(customerUuid: string, members: Record<string, unknown>, rhythm = 'FREQ=MONTHLY') {
  return client.createPlan({
    customer_uuid: customerUuid,
    name: 'Gold',
    recurring_cycles: [
      {
        billing_count: null,
        recurring_billing_config: rhythm,
        recurring_items: [{ recurring_item_id: await client.createItem(100), quantity: 1 }],
      },
    ],
    ...members,
  })
}

/** The end of its month comes within the months that the test advances over. */
async function expiringCard() {
  const soon = (await client.now()).toZonedDateTimeISO('Asia/Hong_Kong').add({ months: 2 })
  const card = cardToBind(GOOD)
  const expiry = { exp_month: String(soon.month).padStart(2, '0'), exp_year: String(soon.year) }
  return { ...card, default: true, credit_card: { ...card.credit_card, ...expiry } }
}

// Proves reference/messages#kinds, reference/messages#tries.
test(
  'every kind arrives in every language, once for each cause, over kills and a mail server that fails',
  { timeout: 400_000 },
  async () => {
    const { legal_entity: entity } = await client.ok('POST', `${B}/legal_entities`, {
      legal_entity: {
        name: 'Kiln GmbH',
        address: { line1: 'Gasse 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
        registrations: [],
      },
    })
    const { dunning_policy: policy } = await client.ok('POST', `${B}/dunning_policies`, {
      dunning_policy: { name: 'One', steps: [{ after_days: 2 }], reminders: [1] },
    })
    await client.ok('PUT', `${B}/message_settings`, {
      message_settings: { enabled: KINDS, deliver_in_test: true },
    })
    await client.ok('PUT', `${B}/portal`, { portal: { allow: { payment_methods: true } } })
    const expiring = await expiringCard()
    const payers = await Promise.all(
      MESSAGE_LANGUAGES.map(async (language) => {
        const to = `payer-${language.toLowerCase()}@example.com`
        const { uuid } = await client.createCustomer({ email: to })
        const details = { billing_details: { language } }
        await client.ok('PUT', `${B}/customers/${uuid}/billing_details`, details)
        return { uuid, language, to }
      }),
    )

    await Promise.all(
      payers.map(async ({ uuid }) => {
        const { token } = await client.bind(uuid, expiring)
        const order = await client.createOrder({ customer_uuid: uuid })
        await client.pay(order.number, token)
        const line = { label: 'Set-up', quantity: 1, unit_amount: 100 }
        const { invoice } = await client.ok('POST', `${B}/invoices`, {
          invoice: {
            customer_uuid: uuid,
            currency: 'HKD',
            lines: [line],
            legal_entity_id: entity.id,
            collection: 'send_invoice',
          },
        })
        const note = { credit_note: { reason: 'Wrong' } }
        await client.ok('POST', `${B}/invoices/${invoice.id}/credit_notes`, note)
        await client.ok('POST', `${B}/portal/sessions`, {
          portal_session: { customer_uuid: uuid, send: true },
        })
        await newPlan(uuid, { trial: { days: 3, notice_days: 2 } }, 'FREQ=MONTHLY;INTERVAL=6')
      }),
    )
    await until(() => tries.size > UNDER_WAY / 2)
    await kill()
    await until(areAllSent, 120_000)

    // The trials have not ended when their mails are tried again.
    await advance('P1DT1H', async () => {
      const before = tries.size
      await until(() => tries.size > before + MESSAGE_LANGUAGES.length / 2)
      await kill()
    })
    await until(areAllSent, 120_000)
    await advance('P4D')
    await until(areAllSent, 120_000)

    isFaulty = false
    await closeMailServer()
    const plans = await Promise.all(
      payers.map(async ({ uuid }) => {
        await client.bind(uuid, { ...cardToBind(DECLINING), default: true })
        return newPlan(uuid, { dunning_policy_id: policy.id })
      }),
    )
    await until(async () => (await messages('kind = payment_failed')).length === payers.length)
    await advance('PT23H', kill)
    expect(await messages('kind = payment_failed AND state = queued')).toHaveLength(payers.length)
    await openMailServer()
    await advance('PT2H')
    await until(areAllSent, 120_000)

    isFaulty = true
    await Promise.all(
      plans.map(async ({ id }, index) => {
        await client.ok('POST', `${PLANS}/${id}/cancel`, { at_period_end: false })
        await client.bind(String(payers[index]?.uuid), expiring)
      }),
    )
    await advance('P190D')
    await until(areAllSent, 120_000)
    await sleep(500)

    const made = await messages('')
    expect(new Set(made.map(({ state }) => state))).toEqual(new Set(['sent']))
    for (const { language, to } of payers) {
      const own = made.filter((message) => message.to === to)
      expect(new Set(own.map((message) => message.language)), to).toEqual(new Set([language]))
      expect(new Set(own.map(({ kind }) => kind)), to).toEqual(new Set(KINDS))
    }
    // Each payer gets the same, whatever failed on the way.
    const listed = payers.map(({ to }) =>
      made
        .filter((message) => message.to === to)
        .map(({ kind }) => kind)
        .toSorted()
        .join(),
    )
    expect(new Set(listed).size).toBe(1)

    const byId = Map.groupBy(received(), ({ headers }) => String(headers['message-id']))
    expect(new Set(byId.keys())).toEqual(new Set(made.map(({ message_id: id }) => id)))
    for (const { message_id: id, kind, to, text } of made) {
      const mails = byId.get(id) ?? []
      expect(new Set(mails.map((mail) => mail.to.join())), id).toEqual(new Set([to]))
      if (!SAID_ANEW.has(kind)) {
        const said = new Set(mails.map((mail) => mail.text.replaceAll('\r\n', '\n')))
        expect(said, id).toEqual(new Set([text.trim()]))
      }
      // The answer to a mail was lost with its connection or its process; no other arrives twice.
      if (mails.length > 1) expect([cut.has(id), beforeKills.has(id)], id).toContain(true)
    }
    expect(cut.size).toBeGreaterThan(MESSAGE_LANGUAGES.length)
  },
)
