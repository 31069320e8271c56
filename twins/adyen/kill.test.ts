import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { startTwin, type TwinProcess } from '../common/twin-process.ts'
import { ACCOUNT, API_KEY, HMAC_KEY, itemOf, payment, startReceiver } from './testing/witness.ts'

const KILLS = 5
const PAYMENTS = 60

test(
  'through kills each payment is authorized and captured once, and every answer stays true',
  { timeout: 240_000 },
  async () => {
    const dir = await mkdtemp(join(tmpdir(), 'twin-adyen-kill-'))
    let twin: TwinProcess = await startTwin('adyen', { dir })
    const { port, url } = twin
    const answered = new Map<string, string>()
    const state = { over: false, stopped: false }

    /** Retries until there is a response. Every response to a key must equal the first. */
    async function post(path: string, key: string, body: object): Promise<string> {
      while (!state.stopped) {
        try {
          const answer = await fetch(`${url}${path}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-api-key': API_KEY, 'idempotency-key': key },
            body: JSON.stringify(body),
          })
          const text = await answer.text()
          if (answer.status < 300) {
            const { pspReference } = JSON.parse(text) as { pspReference: string }
            expect(answered.get(key) ?? pspReference).toBe(pspReference)
            answered.set(key, pspReference)
            return pspReference
          }
          if (answer.status < 500 && !text.includes('"704"')) throw new Error(`${path}: ${text}`)
        } catch (error) {
          if (!(error instanceof TypeError)) throw error
        }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      throw new Error('The test has ended')
    }

    async function pay(n: number): Promise<void> {
      const reference = `killed-${n}`
      const amount = { currency: 'EUR', value: 100 + n }
      const psp = await post('/v72/payments', reference, payment(reference, { amount }))
      const capture = { merchantAccount: ACCOUNT, reference, amount }
      await post(`/v72/payments/${psp}/captures`, `${reference}:capture`, capture)
      await post('/v72/payments', reference, payment(reference, { amount }))
    }

    async function killing(): Promise<void> {
      for (let kill = 0; kill < KILLS && !state.stopped; kill++) {
        await new Promise((resolve) => setTimeout(resolve, 60 + Math.random() * 100))
        await twin.stop('SIGKILL')
        twin = await startTwin('adyen', { dir, port })
      }
      state.over = true
    }

    async function paying(first: number): Promise<void> {
      for (let n = first; n < PAYMENTS || !state.over; n += 6) await pay(n)
    }

    const killed = killing()
    try {
      await Promise.all([killed, ...[0, 1, 2, 3, 4, 5].map(paying)])
      const movements = await twin.books()
      const captures = movements.filter(({ operation }) => operation === 'capture')
      const authorizations = movements.filter(({ operation }) => operation === 'authorization')
      expect(captures.length).toBeGreaterThanOrEqual(PAYMENTS)
      expect(new Set(captures.map(({ key }) => key)).size).toBe(captures.length)
      expect(new Set(authorizations.map(({ key }) => key)).size).toBe(authorizations.length)
      expect(authorizations).toHaveLength(captures.length)
      expect(captures.every(({ outcome }) => outcome === 'approved')).toBe(true)
      for (const { key, reference } of captures) expect(answered.get(key)).toBe(reference)
    } finally {
      state.stopped = true
      await killed.catch(() => {})
      await twin.stop()
      await rm(dir, { recursive: true, force: true })
    }
  },
)

test('a notice that nobody took before a kill is sent after it', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'twin-adyen-notices-'))
  const receiver = await startReceiver()
  receiver.status = 503
  let twin = await startTwin('adyen', { dir })
  try {
    await twin.setNotices({ url: receiver.url, secret: HMAC_KEY })
    const answer = await fetch(`${twin.url}/v72/payments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
      body: JSON.stringify(payment('untold')),
    })
    expect(answer.status).toBe(200)
    await twin.stop('SIGKILL')
    receiver.status = 200
    twin = await startTwin('adyen', { dir, port: twin.port })
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 60_000)
    expect(receiver.received.map((notice) => itemOf(notice).merchantReference)).toEqual(['untold'])
  } finally {
    await twin.stop()
    await receiver.close()
    await rm(dir, { recursive: true, force: true })
  }
})
