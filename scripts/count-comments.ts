/**
 * Counts the comments in src, without tests. A block comment or a run of consecutive `//` lines counts as one.
 * `--max N` exits with 1 if there are more than N comments.
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

function countInFolders(): Map<string, number> {
  const files = globSync('src/**/*.{ts,js}', { exclude: ['**/*.test.ts', '**/filter-parser.js'] }).toSorted()
  const counts = new Map<string, number>()
  for (const file of files) {
    const [folder = ''] = /^src(\/(modules|platform)\/[^/]+(?=\/)|\/[^/]+(?=\/))?/.exec(file) ?? []
    counts.set(folder, (counts.get(folder) ?? 0) + countComments(readFileSync(file, 'utf8')))
  }
  return counts
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { max: { type: 'string' } } })
  const max = values.max === undefined ? Number.POSITIVE_INFINITY : Number(values.max)
  if (Number.isNaN(max)) throw new Error('--max must be a number.')
  const counts = countInFolders()
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  for (const [folder, count] of counts) console.log(`${count} ${folder}`)
  console.log(`${total} comments in src`)
  if (total > max) {
    console.error(`src has ${total} comments, at most ${max} are allowed`)
    process.exit(1)
  }
}
