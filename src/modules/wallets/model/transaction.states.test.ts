import { expect, test } from 'vitest'
import { nextState } from '#kernel/state-table'
import { TRANSITIONS } from './transaction.states.ts'

// Proves reference/wallets#confirmations.
test('every state changes only by the chain events of the table', () => {
  const states = [null, 'pending', 'confirmed', 'reorged'] as const
  const events = ['include', 'confirm', 'reorg'] as const
  const walked = states.map((state) => [
    state,
    ...events.map((event) => nextState(TRANSITIONS, state ?? 'new', event)),
  ])
  expect(walked).toEqual([
    [null, 'pending', 'confirmed', undefined],
    ['pending', undefined, 'confirmed', 'reorged'],
    ['confirmed', undefined, undefined, 'reorged'],
    ['reorged', 'pending', 'confirmed', undefined],
  ])
})
