import { renderSVG } from 'uqr'

/** An address as a QR code: an SVG with a white edge, so that it is read on a dark page too. */
export function qrCode(address: string): string {
  return renderSVG(address, { ecc: 'M', border: 2 })
}
