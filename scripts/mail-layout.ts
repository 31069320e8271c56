/**
 * `npm run mail-layout` compiles layout.mjml, by MJML, to a function of the module messages. With --check, it only compares the
 * committed file (decisions/0092).
 */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { testPackages } from '#platform/testing/test-packages'

const FOLDER = 'src/modules/messages/rendering'
const LAYOUT = join(FOLDER, 'layout.mjml')
const COMPILED = join(FOLDER, 'layout.generated.ts')

/** `{{member}}`, and comments that begin or end what is shown for a member. */
const MARKS = /\{\{ ?([\w.]+) ?\}\}|<!-- (if|each|end)(?: (\w+)(?: as (\w+))?)? -->/g

const text = compiledLayout(await html())
if (process.argv.includes('--check')) {
  if (readFileSync(COMPILED, 'utf8') !== text) {
    console.error(`${COMPILED} does not match ${LAYOUT}; update it with: npm run mail-layout`)
    process.exitCode = 1
  }
} else {
  writeFileSync(COMPILED, text)
}

async function html(): Promise<string> {
  const mjml = join(await testPackages(), 'node_modules/.bin/mjml')
  // MJML takes a placeholder for an invalid colour, and puts it on three lines when it indents styles.
  const options = ['--config.validationLevel', 'skip', '--config.beautify', 'false']
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    mjml,
    LAYOUT,
    '--stdout',
    '--noStdoutFileComment',
    ...options,
  ])
  if (stderr !== '') throw new Error(stderr)
  return withoutIndents(stdout)
}

function withoutIndents(markup: string): string {
  const lines = markup.split('\n').map((line) => line.trim())
  return lines
    .filter((line) => line !== '')
    .join('\n')
    .replaceAll('\n>', '>')
    .replaceAll('\n/>', ' />')
}

function compiledLayout(markup: string): string {
  const blocks: string[] = []
  const locals = new Set<string>()
  const body = escaped(markup).replaceAll(
    MARKS,
    (_, member: string | undefined, mark: string | undefined, name = '', local = '') => {
      if (member !== undefined) return `\${${locals.has(member.split('.')[0] ?? '') ? '' : 'mail.'}${member}}`
      if (mark === 'end') {
        const block = blocks.pop()
        if (block === undefined) throw new Error(`${LAYOUT}: "end" without a beginning`)
        locals.delete(block)
        return block === '' ? '`}' : '`)}'
      }
      blocks.push(local)
      if (mark === 'if') return `\${mail.${name} && html\``
      locals.add(local)
      return `\${mail.${name}.map((${local}) => html\``
    },
  )
  if (blocks.length > 0) throw new Error(`${LAYOUT}: a block has no "end"`)
  return [
    `/** Generated from layout.mjml: npm run mail-layout */`,
    `import { html, type Html } from '#platform/http/html'`,
    `import type { MailLayout } from './mail-layout.ts'`,
    '',
    'export function layoutOf(mail: MailLayout): Html {',
    `  return html\`${body}\``,
    '}',
    '',
  ].join('\n')
}

function escaped(markup: string): string {
  return markup.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')
}
