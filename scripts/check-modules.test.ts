import { expect, test } from 'vitest'
import { type SourceFile, structureProblems } from './check-modules.ts'

const MODULE = ['src/modules/orders/README.md', 'src/modules/orders/index.ts']

function files(paths: readonly string[], lines = 10): SourceFile[] {
  return paths.map((path) => ({ path, lines }))
}

test('a file of 400 lines and a test of 500 lines are allowed, and one more line is not', () => {
  const within = [...files(['src/main.ts'], 400), ...files(['src/main.test.ts'], 500)]
  expect(structureProblems(within)).toEqual([])
  const beyond = [...files(['src/main.ts'], 401), ...files(['src/main.test.ts'], 501)]
  expect(structureProblems(beyond)).toEqual([
    'src/main.ts: 401 lines, at most 400 are allowed',
    'src/main.test.ts: 501 lines, at most 500 are allowed',
  ])
})

test('generated JavaScript and documents may have any length', () => {
  expect(structureProblems(files(['src/platform/filter/filter-parser.js', 'src/notes.md'], 2_000))).toEqual(
    [],
  )
})

test.each(['src/modules/orders/storage', 'src/platform/http', 'src/platform/http/routes'])(
  'in %s twelve files are allowed beside the sub-folders, and a thirteenth is not',
  (folder) => {
    const inFolder = (count: number) =>
      Array.from({ length: count }, (_, index) => `${folder}/file-${index}.test.ts`)
    const others = [...MODULE, `${folder}/sub-folder/file.ts`]
    expect(structureProblems(files([...others, ...inFolder(12)]))).toEqual([])
    expect(structureProblems(files([...others, ...inFolder(13)]))).toEqual([
      `${folder}: 13 files, at most 12 are allowed`,
    ])
  },
)

test('a module needs a README.md and an index.ts of its own', () => {
  const paths = [...MODULE, 'src/modules/cards/limits/README.md', 'src/modules/cards/limits/index.ts']
  expect(structureProblems(files(paths))).toEqual([
    'src/modules/cards: README.md is missing',
    'src/modules/cards: index.ts is missing',
  ])
})
