import type { AccountSettings, BrowserComponent } from '../port/adapter.ts'
import { isLoopback } from './account.ts'

const ADYEN_WEB = '6.31.0'

export function componentOf({ environment, apiBase, credentials }: AccountSettings): BrowserComponent {
  const own = isLoopback(apiBase) ? new URL(apiBase).origin : null
  const files = own ?? `https://checkoutshopper-${environment}.cdn.adyen.com`
  const api = own ?? `https://checkoutshopper-${environment}.adyen.com`
  const analytics = own ?? `https://checkoutanalytics-${environment}.adyen.com`
  const sdk = `${files}/checkoutshopper/sdk/${ADYEN_WEB}`
  const both = [...new Set([files, api])]
  return {
    acquirer: 'adyen',
    publicKey: credentials.client_key ?? '',
    environment,
    confirmsInBrowser: false,
    scriptUrl: `${sdk}/adyen.js`,
    styleUrl: `${sdk}/adyen.css`,
    origins: {
      'script-src': [files],
      'style-src': [files],
      'frame-src': both,
      'img-src': both,
      'connect-src': [...new Set([...both, analytics])],
    },
  }
}
