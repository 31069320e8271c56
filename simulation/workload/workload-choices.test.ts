import { expect, test } from 'vitest'
import { chooseClockMoves, chooseOrders, choosePlans } from './workload-choices.ts'

function workload(seed: number): unknown {
  return {
    plans: choosePlans(seed, 200).map((plan) => ({ ...plan, startOffset: plan.startOffset.toString() })),
    orders: chooseOrders(seed, 50),
    clockMoves: chooseClockMoves(seed, 40).map((move) => move && [move.offset.toString(), move.idleMs]),
  }
}

test('a seed repeats its workload, and another seed chooses a different one', () => {
  expect(workload(7)).toEqual(workload(7))
  expect(workload(7)).not.toEqual(workload(8))
})

test('the first capture or the partial refund of an order leaves a remainder', () => {
  for (const order of chooseOrders(5, 500)) {
    expect(order.partMinor).toBeGreaterThan(0n)
    expect(order.partMinor).toBeLessThan(order.totalMinor)
  }
})
