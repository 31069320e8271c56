import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const content = readFileSync(new URL('../assets/portal.css', import.meta.url))
const hash = createHash('sha256').update(content).digest('hex').slice(0, 12)

export const styleAsset = {
  path: `/portal-assets/portal.${hash}.css`,
  type: 'text/css; charset=utf-8',
  content,
}
