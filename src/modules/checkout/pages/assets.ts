import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { readStylesheet } from '#platform/http/palette'

export interface Asset {
  readonly path: string
  readonly type: string
  readonly content: Buffer
  readonly compressed: Buffer
}

export const assets = {
  style: asset('checkout', 'css', 'text/css; charset=utf-8', readStylesheet(fileOf('checkout.css'))),
  component: script('card-component'),
  script: script('checkout'),
} as const satisfies Record<string, Asset>

function fileOf(name: string): URL {
  return new URL(`../assets/${name}`, import.meta.url)
}

function script(name: string): Asset {
  return asset(name, 'js', 'text/javascript; charset=utf-8', readFileSync(fileOf(`${name}.js`)))
}

function asset(name: string, extension: string, type: string, content: Buffer): Asset {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12)
  return {
    path: `/checkout/${name}.${hash}.${extension}`,
    type,
    content,
    compressed: gzipSync(content, { level: 9 }),
  }
}
