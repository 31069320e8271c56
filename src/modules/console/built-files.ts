import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

export interface BuiltFile {
  readonly type: string
  readonly isHashed: boolean
  readonly content: Buffer
  readonly encoded: { readonly br?: Buffer; readonly gzip?: Buffer }
}

export interface BuiltConsole {
  readonly builtAt: number
  readonly index: BuiltFile
  readonly scriptHashes: readonly string[]
  /** By path below the console, such as `assets/index-D1f.js`. */
  readonly files: ReadonlyMap<string, BuiltFile>
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

const INLINE_SCRIPT = /<script>([\s\S]*?)<\/script>/g

/** When the build ended, or undefined where there is none. The build writes index.html last. */
export function builtAtOf(folder: string): number | undefined {
  return statSync(join(folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs
}

export function readBuiltConsole(folder: string, basePath: string, builtAt: number): BuiltConsole {
  const files = new Map<string, BuiltFile>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')
    const type = TYPES[extname(path)]
    if (!entry.isFile() || type === undefined || path === 'index.html') continue
    files.set(path, readFile(join(folder, path), type, path.startsWith('assets/')))
  }
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const content = Buffer.from(html.replaceAll(/(href|src)="\.\//g, `$1="${basePath}/console/`))
  return {
    builtAt,
    files,
    index: {
      type: 'text/html; charset=utf-8',
      isHashed: false,
      content,
      encoded: { br: brotliCompressSync(content), gzip: gzipSync(content) },
    },
    scriptHashes: [...html.matchAll(INLINE_SCRIPT)].map(
      ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    ),
  }
}

function readFile(path: string, type: string, isHashed: boolean): BuiltFile {
  const readIfThere = (file: string) => (existsSync(file) ? readFileSync(file) : undefined)
  const br = readIfThere(`${path}.br`)
  const gzip = readIfThere(`${path}.gz`)
  return {
    type,
    isHashed,
    content: readFileSync(path),
    encoded: { ...(br && { br }), ...(gzip && { gzip }) },
  }
}
