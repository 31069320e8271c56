import { expect, test } from 'vitest'
import { nextState } from '#kernel/state-table'
import { TRANSITIONS } from './transaction.states.ts'

test('every state meets every view of the chain as the table says, and nothing else happens', () => {
  const states = [null, 'pending', 'confirmed', 'reorged'] as const
  const views = ['see', 'bury', 'reorganise'] as const
  const walked = states.map((state) => [
    state,
    ...views.map((view) => nextState(TRANSITIONS, state ?? 'new', view)),
  ])
  expect(walked).toEqual([
    [null, 'pending', 'confirmed', undefined],
    ['pending', undefined, 'confirmed', 'reorged'],
    ['confirmed', undefined, undefined, 'reorged'],
    ['reorged', 'pending', 'confirmed', undefined],
  ])
})
