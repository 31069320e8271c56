import { readFileSync } from 'node:fs'

const PALETTE = readFileSync(new URL('palette.css', import.meta.url))

/** Reads the stylesheet of a page. The colours of all pages that are not the console's come before its rules. */
export function readStylesheet(url: URL): Buffer {
  return Buffer.concat([PALETTE, readFileSync(url)])
}
