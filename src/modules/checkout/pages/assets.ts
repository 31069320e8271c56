import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

export interface Asset {
  readonly path: string
  readonly type: string
  readonly content: Buffer
  readonly compressed: Buffer
}

export const assets = {
  style: readAsset('checkout', 'css', 'text/css; charset=utf-8'),
  component: readAsset('card-component', 'js', 'text/javascript; charset=utf-8'),
  script: readAsset('checkout', 'js', 'text/javascript; charset=utf-8'),
} as const satisfies Record<string, Asset>

function readAsset(name: string, extension: string, type: string): Asset {
  const content = readFileSync(new URL(`../assets/${name}.${extension}`, import.meta.url))
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12)
  return {
    path: `/checkout/${name}.${hash}.${extension}`,
    type,
    content,
    compressed: gzipSync(content, { level: 9 }),
  }
}
