import { setTimeout as sleep } from 'node:timers/promises'
import { ControlError, readObject, readText, readWhole } from './control.ts'

/** The webhook settings of an account. */
export interface NoticeSettings {
  readonly url: string
  readonly secret: string
  /** Each delivery waits so long. */
  readonly delay_ms: number
  /** How many more times each notice is delivered. */
  readonly repeat: number
  /** Every delivery waits a random time up to twice `delay_ms` (at least 200 ms), so that the order is lost. */
  readonly shuffle: boolean
}

/** Called with the secret for each delivery, so that each is signed at its own time. Returns the request. */
type SignNotice = (secret: string) => {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type IsTaken = (status: number) => boolean

export interface NoticeSender {
  /**
   * Delivers the notice until it is accepted, then calls `delivered`. Never calls it without a receiver. `isTaken` judges
   * the status of an answer; by default any 2xx accepts.
   */
  send(account: string, sign: SignNotice, delivered?: () => void, isTaken?: IsTaken): void
  wants(account: string): boolean
  settings(): Readonly<Record<string, NoticeSettings>>
  /** Body of PUT /_twin/notices: `account` limits the settings to one account; an empty `url` ends the sending. */
  put(text: string): void
  restore(settings: Readonly<Record<string, NoticeSettings>>): void
  close(): void
}

const ALL_ACCOUNTS = '*'
const MEMBERS = ['account', 'url', 'secret', 'delay_ms', 'repeat', 'shuffle']
const MAX_DELAY_MS = 86_400_000
const MAX_REPEAT = 20
const MIN_SHUFFLE_MS = 100
const TIMEOUT_MS = 10_000
const MAX_CONCURRENT = 16
const RETRY_AFTER_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000]

export function createNoticeSender(): NoticeSender {
  let byAccount: Record<string, NoticeSettings> = {}
  const closed = new AbortController()
  const settingsOf = (account: string): NoticeSettings | undefined =>
    byAccount[account] ?? byAccount[ALL_ACCOUNTS]
  const slots = createSlots(MAX_CONCURRENT)

  async function deliver(account: string, sign: SignNotice, isTaken: IsTaken): Promise<boolean> {
    const first = settingsOf(account)
    if (first === undefined) return false
    await pause(first.shuffle ? Math.random() * 2 * Math.max(first.delay_ms, MIN_SHUFFLE_MS) : first.delay_ms)
    for (const retryAfterMs of [...RETRY_AFTER_MS, null]) {
      const settings = settingsOf(account)
      if (settings === undefined) return false
      if (await slots.run(() => post(settings, sign, isTaken))) return true
      if (retryAfterMs !== null) await pause(retryAfterMs)
    }
    return false
  }

  async function report(
    account: string,
    sign: SignNotice,
    isTaken: IsTaken,
    delivered?: () => void,
  ): Promise<void> {
    const isDelivered = await deliver(account, sign, isTaken).catch(() => false)
    if (isDelivered) delivered?.()
  }

  const pause = (ms: number): Promise<void> =>
    ms === 0 ? Promise.resolve() : sleep(ms, undefined, { signal: closed.signal, ref: false })

  async function post(settings: NoticeSettings, sign: SignNotice, isTaken: IsTaken): Promise<boolean> {
    const { headers, body } = sign(settings.secret)
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), closed.signal])
      const answer = await fetch(settings.url, { method: 'POST', headers, body, signal, redirect: 'manual' })
      await answer.arrayBuffer()
      return isTaken(answer.status)
    } catch {
      return false
    }
  }

  return {
    send: (account, sign, delivered, isTaken = (status) => status >= 200 && status < 300) => {
      const settings = settingsOf(account)
      if (settings === undefined) return
      void report(account, sign, isTaken, delivered)
      for (let n = 0; n < settings.repeat; n++) void report(account, sign, isTaken)
    },
    wants: (account) => settingsOf(account) !== undefined,
    settings: () => byAccount,
    put: (text) => {
      const body = readObject(text, MEMBERS)
      const account = readText(body, 'account') ?? ALL_ACCOUNTS
      const url = readText(body, 'url') ?? ''
      const { [account]: _replaced, ...others } = byAccount
      if (url === '') {
        byAccount = others
        return
      }
      if (!URL.canParse(url)) throw new ControlError('url must be an absolute URL')
      const settings: NoticeSettings = {
        url,
        secret: readText(body, 'secret') ?? '',
        delay_ms: readWhole(body, 'delay_ms', MAX_DELAY_MS) ?? 0,
        repeat: readWhole(body, 'repeat', MAX_REPEAT) ?? 0,
        shuffle: body.shuffle === true,
      }
      byAccount = { ...others, [account]: settings }
    },
    restore: (settings) => {
      byAccount = { ...settings }
    },
    close: () => closed.abort(),
  }
}

function createSlots(count: number) {
  let free = count
  const queue: (() => void)[] = []
  return {
    run: async <T>(work: () => Promise<T>): Promise<T> => {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => queue.push(resolve))
      try {
        return await work()
      } finally {
        const next = queue.shift()
        if (next) next()
        else free += 1
      }
    },
  }
}
