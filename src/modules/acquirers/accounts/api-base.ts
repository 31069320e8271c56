import type { AcquirersDependencies } from '../dependencies.ts'
import { errors } from '../errors.ts'

/**
 * The base URL without a final slash. It may have a path, as Adyen's live addresses do, but no version: each adapter
 * adds its own.
 * @throws 422 `api_base_not_allowed`
 */
export function readApiBase(egress: AcquirersDependencies['egress'], text: string): string {
  const url = new URL(text)
  const problem = egress.checkUrl(text) ?? problemOf(url, egress.allowsPrivate)
  if (problem !== undefined) {
    const param = 'acquirer_account.api_base'
    throw errors.api_base_not_allowed({ param, message: `${param} ${problem}.` })
  }
  return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '')
}

function problemOf(url: URL, allowsPrivate: boolean): string | undefined {
  if (url.protocol !== 'https:' && !allowsPrivate) return 'must begin with https://'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (url.search !== '' || url.hash !== '') return 'must not have a query or a fragment'
  if (/\/v\d+\/?$/i.test(url.pathname)) return 'must not end with a version, such as /v1'
  return undefined
}
