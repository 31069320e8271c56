import { type Currency, isCurrency } from '#kernel/currencies'
import { newId } from '#kernel/ids'
import { parseTimeZone, type TimeZone } from '#kernel/time-zone'
import { newSigningSecret } from '#platform/security/standard-webhooks'
import { newApiKey } from '../model/api-key.ts'
import type { NewBusiness } from '../model/business.ts'
import { CommandError } from '../command-error.ts'

const DEFAULT_TIME_ZONE = 'Asia/Hong_Kong'
const DEFAULT_CURRENCY = 'HKD'
const MAX_NAME_LENGTH = 255

export function prepareBusiness(options: {
  readonly name: string
  readonly timeZone?: TimeZone
  readonly currency?: Currency
}): NewBusiness {
  const name = options.name.trim()
  if (name === '' || name.length > MAX_NAME_LENGTH) {
    throw new CommandError(`The name must have 1 to ${MAX_NAME_LENGTH} characters.`)
  }
  const timeZone = parseTimeZone(options.timeZone ?? DEFAULT_TIME_ZONE)
  if (timeZone === undefined) {
    throw new CommandError(`${options.timeZone} is not an IANA time zone; a valid one is Asia/Hong_Kong.`)
  }
  const currency = (options.currency ?? DEFAULT_CURRENCY).toUpperCase()
  if (!isCurrency(currency))
    throw new CommandError(`${options.currency} is not an ISO 4217 currency code; a valid one is HKD.`)
  const environment = () => ({
    businessId: newId('biz'),
    webhookSecret: newSigningSecret(),
  })
  return {
    name,
    code: newId('mch'),
    timeZone,
    currency,
    appId: newId('app'),
    appName: 'default',
    test: environment(),
    live: environment(),
    keyId: newId('key'),
    apiKey: newApiKey('test'),
  }
}
