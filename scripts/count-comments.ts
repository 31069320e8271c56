/**
 * Counts the comments in src, without tests. A block comment or a run of consecutive `//` lines counts as one.
 * `--per-thousand N` exits with 1 if there are more than N comments for each thousand lines.
 */
import { globSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

/** Leaves out a comment that follows code on its line. */
export function countComments(text: string): number {
  let count = 0
  let isInBlock = false
  let followsLineComment = false
  for (const line of text.split('\n').map((untrimmed) => untrimmed.trim())) {
    const startsBlock = !isInBlock && line.startsWith('/*')
    const isLineComment = !isInBlock && line.startsWith('//')
    if (startsBlock || (isLineComment && !followsLineComment)) count++
    if (isInBlock || startsBlock) isInBlock = !line.includes('*/')
    followsLineComment = isLineComment
  }
  return count
}

function countInFolders(): { readonly counts: Map<string, number>; readonly lines: number } {
  const files = globSync('src/**/*.{ts,js}', { exclude: ['**/*.test.ts', '**/filter-parser.js'] }).toSorted()
  const counts = new Map<string, number>()
  let lines = 0
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    lines += text.split('\n').length - 1
    const [folder = ''] = /^src(\/(modules|platform)\/[^/]+(?=\/)|\/[^/]+(?=\/))?/.exec(file) ?? []
    counts.set(folder, (counts.get(folder) ?? 0) + countComments(text))
  }
  return { counts, lines }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { 'per-thousand': { type: 'string' } } })
  const max = Number(values['per-thousand'] ?? Number.POSITIVE_INFINITY)
  if (Number.isNaN(max)) throw new Error('--per-thousand must be a number.')
  const { counts, lines } = countInFolders()
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  for (const [folder, count] of counts) console.log(`${count} ${folder}`)
  const perThousand = (total / lines) * 1_000
  console.log(`${total} comments in ${lines} lines of src: ${perThousand.toFixed(2)} for each thousand`)
  if (perThousand > max) {
    console.error(`src has more than ${max} comments for each thousand lines`)
    process.exit(1)
  }
}
