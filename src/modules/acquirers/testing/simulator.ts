import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Money } from '#kernel/money'
import type { Instant } from '#kernel/clock'
import type { ChargeRequest, FollowUpRequest, Instrument, Lookup, VerifyRequest } from '../port/port.ts'

export class SimulatorProcess {
  readonly #child: ChildProcess
  readonly url: string

  private constructor(child: ChildProcess, url: string) {
    this.#child = child
    this.url = url
  }

  static async start(dir: string, port = 0): Promise<SimulatorProcess> {
    const entry = fileURLToPath(new URL('../../../simulator.ts', import.meta.url))
    const child = spawn(process.execPath, [entry], {
      env: { ...process.env, SIMULATOR_PORT: String(port), SIMULATOR_DIR: dir },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    let complaint = ''
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString()
        const found = /http:\S+(?=\n)/.exec(said)
        if (found !== null) resolve(found[0])
      })
      child.once('exit', (code) => reject(new Error(`exit ${code}: ${complaint}`)))
    })
    return new SimulatorProcess(child, url)
  }

  get port(): number {
    return Number(new URL(this.url).port)
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return this.#child.exitCode
    const exited = once(this.#child, 'exit')
    this.#child.kill(signal)
    await exited
    return this.#child.exitCode
  }
}

export async function temporaryDirectory(): Promise<{ dir: string; remove: () => Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'simulator-'))
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) }
}

export interface BookLine {
  readonly key: string
  readonly operation: string
  readonly amount: string
  readonly currency: string
  readonly outcome: string
  readonly original_key?: string
  readonly booked_at: string
}

export async function readBooks(url: string): Promise<BookLine[]> {
  const response = await fetch(`${url}/books`)
  const text = await response.text()
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as BookLine)
}

export async function putFaults(url: string, faults: object): Promise<Response> {
  return fetch(`${url}/faults`, { method: 'PUT', body: JSON.stringify(faults) })
}

/** The time that test requests carry. It is far from real time, so that a test notices if the simulator used its own clock. */
export const START = Temporal.Instant.from('2031-03-05T10:00:00Z')

export function card(number = '4242424242424242'): Instrument {
  return { type: 'card', number, expMonth: 12, expYear: 2040, holderName: 'Chan Tai Man' }
}

export function hkd(text: string): Money {
  return Money.ofDecimal('HKD', text)
}

export function charge(key: string, changes: Partial<ChargeRequest> = {}): ChargeRequest {
  return {
    key,
    at: START,
    amount: hkd('150.50'),
    instrument: card(),
    payerPresent: true,
    orderNumber: 'ORD-1',
    commitReference: async () => true,
    ...changes,
  }
}

export function followUp(
  request: Pick<FollowUpRequest, 'key' | 'at' | 'amount' | 'originalKey'> & Partial<FollowUpRequest>,
): FollowUpRequest {
  return { originalReference: '', commitReference: async () => true, ...request }
}

export function verification(
  request: Pick<VerifyRequest, 'key' | 'at' | 'instrument'> & Partial<VerifyRequest>,
): VerifyRequest {
  const payer = { customerUuid: 'cus_1', reference: null, name: 'Chan Tai Man', email: 'chan@example.com' }
  return { payer, commitReference: async () => true, ...request }
}

export function lookup(key: string, at: Instant = START, changes: Partial<Lookup> = {}): Lookup {
  return {
    kind: 'sale',
    key,
    at,
    reference: null,
    sentAt: at,
    amount: hkd('150.50'),
    originalReference: null,
    returned: {},
    commitReference: async () => true,
    ...changes,
  }
}
