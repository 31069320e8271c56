import { expect, test } from 'vitest'
import { replacedWords } from './check-words.ts'

test.each([
  ['queue.leave(tenant)', 'release'],
  ['this.#giveUp(reason)', 'abandon'],
  ['interface Answer {', 'response'],
  ['export type StripeAnswer =', 'response'],
  ['const MOST_TRIES = 3', 'MAX_'],
  ['export interface DueWork {', 'job'],
  ['// The notice tells the outcome.', 'report'],
  ['const told = await inquire()', 'report'],
  ["test('a notice tells the outcome', () => {", 'report'],
  ['const answer = await server.send(path)', 'response'],
  [' * Where the page answers 200.', 'return'],
])('the name in %s is refused, with the word of the field', (line, instead) => {
  expect(replacedWords('src/a.ts', `\n${line}`)).toEqual([expect.stringContaining(instead)])
  expect(replacedWords('src/a.ts', `\n${line}`)[0]).toMatch(/^src\/a\.ts:2: /)
})

test('the words of the field pass', () => {
  expect(
    replacedWords(
      'src/a.ts',
      "queue.release(tenant)\ninterface StripeResponse {\nconst MAX_TRIES = 3\nconst answer = await acquirer.inquire(lookup)\n  description: 'data.lines tells which',",
    ),
  ).toEqual([])
})
