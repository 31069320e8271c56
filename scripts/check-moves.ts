/**
 * Compares each file that was moved since a commit with its tree there. Imports, their order, comments and layout do not count.
 * Prints the declarations that differ.
 *
 *     npx node scripts/check-moves.ts [commit] [NewName=OldName …]
 */
import { execFileSync } from 'node:child_process'
import { type ModuleItem, parseSync } from '@swc/core'

/** The last commit before the modules got floors. */
const BASE = '32b44d59'

/** The trees of a file's own declarations by their names. Whether a declaration is exported does not count. */
export function declarationsOf(path: string, text: string): Map<string, string> {
  const { body } = parseSync(text, { syntax: 'typescript', tsx: path.endsWith('x') })
  const trees = new Map<string, string>()
  for (const item of body) {
    if (item.type === 'ImportDeclaration' || ('source' in item && item.source != null)) continue
    const declaration = item.type === 'ExportDeclaration' ? item.declaration : item
    const name = nameOf(declaration) ?? `statement ${trees.size + 1}`
    // An overloaded function has its name several times.
    trees.set(name, (trees.get(name) ?? '') + JSON.stringify(declaration, withoutLayout))
  }
  return trees
}

function nameOf(item: ModuleItem): string | undefined {
  if ('identifier' in item) return item.identifier.value
  if ('id' in item && 'value' in item.id) return item.id.value
  if (!('declarations' in item)) return undefined
  const names = item.declarations.map(({ id }) => ('value' in id ? id.value : ''))
  return names.join(', ')
}

function withoutLayout(member: string, value: unknown): unknown {
  const isPosition = typeof value === 'object' && value !== null && 'start' in value && 'end' in value
  return isPosition || member === 'ctxt' || member === 'raw' ? undefined : value
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 })
}

if (import.meta.main) {
  const args = process.argv.slice(2)
  const base = args.find((arg) => !arg.includes('=')) ?? BASE
  const renames = args.flatMap((arg) => {
    const [now, before] = arg.split('=')
    return now === undefined || before === undefined
      ? []
      : [[new RegExp(`\\b${now}\\b`, 'g'), before] as const]
  })
  const asBefore = (text: string) =>
    renames.reduce((result, [now, before]) => result.replace(now, before), text)
  let files = 0
  let sameFiles = 0
  for (const line of git(
    'diff',
    '--find-renames=40%',
    '--diff-filter=R',
    '--name-status',
    base,
    'HEAD',
  ).split('\n')) {
    const [, from, to] = line.split('\t')
    if (from === undefined || to === undefined || !/\.tsx?$/.test(to)) continue
    const before = declarationsOf(from, git('show', `${base}:${from}`))
    const after = declarationsOf(to, asBefore(git('show', `HEAD:${to}`)))
    const names = [...new Set([...before.keys(), ...after.keys()])]
    const different = names.filter((name) => before.get(name) !== after.get(name))
    files++
    if (different.length === 0) sameFiles++
    else console.log(`${from} → ${to}: ${different.join(', ')}`)
  }
  console.log(`${sameFiles} of ${files} moved files have the same tree but for imports`)
}
