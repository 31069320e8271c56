import { expect, test } from 'vitest'
import { folderCircles } from './folder-circles.ts'

const inCards = (from: string, to: string) => ({
  from: `src/modules/cards/${from}`,
  to: `src/modules/cards/${to}`,
})

test('a circle between the folders of a module is found, however long it is', () => {
  const down = [inCards('cards/edit-card.ts', 'limits/limit.ts'), inCards('limits/limit.ts', 'model/card.ts')]
  expect(folderCircles(down)).toEqual([])
  expect(folderCircles([...down, inCards('model/card.ts', 'cards/card.ts')])).toEqual([
    'src/modules/cards: cards → limits → model → cards',
  ])
})

test('tests, files beside the folders and other modules close no circle', () => {
  expect(
    folderCircles([
      inCards('cards/edit-card.ts', 'limits/limit.ts'),
      inCards('limits/limit.test.ts', 'cards/edit-card.ts'),
      inCards('limits/limit.ts', 'context.ts'),
      inCards('context.ts', 'cards/edit-card.ts'),
      { from: 'src/modules/cards/limits/limit.ts', to: 'src/modules/wallets/cards/card.ts' },
    ]),
  ).toEqual([])
})
