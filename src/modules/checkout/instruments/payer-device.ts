import type { PayerDevice } from '#modules/acquirers'

const MAX_LENGTH = 512

/** A phone opens the app, anything else shows a code. iPads say that they are Macs, and can show a code as well. */
export function payerDevice(userAgent: string | undefined): PayerDevice {
  const text = (userAgent ?? '').slice(0, MAX_LENGTH)
  if (/iPhone|iPod/.test(text)) return 'ios'
  return /Android/.test(text) ? 'android' : 'desktop'
}
