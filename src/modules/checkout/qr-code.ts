import { renderSVG } from 'uqr'

/** Draws an address as an SVG. The white border keeps the code readable on a dark page. */
export function qrCode(address: string): string {
  return renderSVG(address, { ecc: 'M', border: 2 })
}
