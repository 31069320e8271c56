/** A caller at full speed in a process of its own, so that it does not delay the process that measures. */
import { once } from 'node:events'
import { setPriority } from 'node:os'
import type { SandboxFile } from '../../src/sandbox-file.ts'
import { Client } from '../../scenarios/harness/client.ts'
import { collectOutput, spawnProgram } from '../../scenarios/harness/service.ts'
import { checkOrder, closedLoad, createAndPay } from './load.ts'

const NICE = 10

interface Flood {
  readonly sandbox: SandboxFile
  readonly callers: number
  readonly seconds: number
  readonly customerUuid?: string
  readonly token?: string
  /** Reads this order instead of paying new ones. */
  readonly orderNumber?: string
}

/** @returns orders or reads a second */
export async function floodFrom(flood: Flood): Promise<number> {
  const child = spawnProgram('bench/support/flood.ts', [JSON.stringify(flood)], {})
  const output = collectOutput(child)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`the flood failed:\n${output()}`)
  return Number(output())
}

if (import.meta.main) {
  const flood = JSON.parse(process.argv[2] ?? '') as Flood
  const { sandbox, callers, seconds, customerUuid = '', token = '', orderNumber } = flood
  const client = new Client(sandbox)
  const task =
    orderNumber === undefined ? createAndPay({ client, customerUuid, token }) : checkOrder(orderNumber)
  // Callers are elsewhere: their work must not hold up the service's.
  setPriority(NICE)
  const { rate } = await closedLoad(client, task, callers, seconds)
  console.log(rate)
}
