import { afterAll, beforeEach, expect, test } from 'vitest'
import { startAnvil } from '../testing/anvil.ts'
import { startFaultyNode } from '../testing/faulty-node.ts'
import { Node } from './node.ts'

const anvil = await startAnvil()
const proxy = await startFaultyNode(anvil.url)
afterAll(() => Promise.all([anvil.stop(), proxy.stop()]))
await anvil.mine(200)

beforeEach(() => {
  proxy.fault = () => undefined
  proxy.maxBatchSize = 1_000
  proxy.batches.length = 0
})

test('a batch that times out is repeated in smaller batches', async () => {
  const node = new Node(proxy.url, { timeoutMs: 4_000 })
  proxy.fault = () => ((proxy.batches.at(-1) ?? 0) > 2 ? 'no response' : undefined)
  expect(await node.blocks(1, 8, false)).toHaveLength(8)
  expect(proxy.batches).toEqual([8, 2, 2, 2, 2])
  proxy.fault = () => 'no response'
  await expect(node.header('latest')).rejects.toMatchObject({ kind: 'refused' })
})

test('a batch is not repeated in smaller ones when the connection fails', async () => {
  const node = new Node(proxy.url)
  proxy.fault = () => 'hang up'
  await expect(node.blocks(1, 40, false)).rejects.toMatchObject({ kind: 'failed' })
  expect(proxy.batches).toEqual([40])
})

test('a refusal makes batches smaller than what was refused, and success lets them grow again', async () => {
  const node = new Node(proxy.url)
  proxy.maxBatchSize = 5
  const numbers = async (to: number) => (await node.blocks(1, to, false)).map((block) => block.number)
  expect(await numbers(8)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(proxy.batches).toEqual([8, 2, 2, 2, 2])
  proxy.maxBatchSize = 1_000
  for (let round = 0; round < 6; round++) await numbers(100)
  expect(proxy.batches.slice(-2)).toEqual([50, 50])
  expect(await numbers(100)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
})
