import type { Body } from './body.ts'
import { ApiError, invalid } from './errors.ts'
import type { Settings } from './settings.ts'
import { type NextAction, randomText } from './store.ts'
import { cardOf, shownCard, type StoredCard } from './test-cards.ts'

/** `null` takes every currency. Sources: data README, `next_action`. */
interface MethodType {
  readonly name: string
  readonly currencies: readonly string[] | null
  readonly flows: readonly string[]
  readonly isRecurring: boolean
}

const METHOD_TYPES: readonly MethodType[] = [
  { name: 'card', currencies: null, flows: [], isRecurring: true },
  { name: 'wechatpay', currencies: ['HKD', 'CNY', 'USD'], flows: FLOWS(), isRecurring: true },
  { name: 'alipaycn', currencies: ['HKD', 'CNY', 'USD'], flows: FLOWS(), isRecurring: true },
  { name: 'alipayhk', currencies: ['HKD'], flows: FLOWS(), isRecurring: true },
  { name: 'fps', currencies: ['HKD', 'CNY'], flows: ['qrcode', 'webqr'], isRecurring: false },
]

function FLOWS(): readonly string[] {
  return ['qrcode', 'webqr', 'mobile_web', 'mweb']
}

/** Currencies that the answer of `payment_method_types` names for a method that takes all. */
const CARD_CURRENCIES = ['HKD', 'USD', 'CNY', 'EUR', 'GBP', 'JPY', 'SGD', 'AUD', 'TWD', 'KRW', 'BHD', 'KWD']

export function openedTypes({ closed }: Settings, mode: string | null) {
  return METHOD_TYPES.flatMap((type) => {
    const modes = type.isRecurring ? ['oneoff', 'recurring'] : ['oneoff']
    return modes
      .filter((one) => mode === null || one === mode)
      .filter((one) => !closed.includes(type.name) && !closed.includes(`${type.name}:${one}`))
      .map((one) => ({
        name: type.name,
        transaction_mode: one,
        flows: type.flows,
        transaction_currencies: type.currencies ?? CARD_CURRENCIES,
        active: true,
      }))
  })
}

export type ReadMethod =
  | { readonly kind: 'card'; readonly card: StoredCard; readonly hasCvc: boolean }
  | { readonly kind: 'wallet'; readonly wallet: string; readonly isPhone: boolean }

export function readMethod(body: Body, settings: Settings, mode: 'oneoff' | 'recurring'): ReadMethod {
  const method = body.object('payment_method')
  if (method === undefined) throw invalid('payment_method', 'must not be empty')
  const name = method.required('type')
  const type = METHOD_TYPES.find((one) => one.name === name)
  const isClosed = settings.closed.includes(name) || settings.closed.includes(`${name}:${mode}`)
  if (type === undefined || isClosed || (mode === 'recurring' && !type.isRecurring)) {
    throw new ApiError(400, 'payment_method_not_allowed', `The payment method ${name} is not allowed`)
  }
  const details = method.object(name)
  if (details === undefined) throw invalid(`payment_method.${name}`, 'must not be empty')
  if (name === 'card') return readCard(details)
  const flow = details.required('flow')
  if (!type.flows.includes(flow)) throw invalid(`payment_method.${name}.flow`, 'is unknown')
  const isPhone = flow === 'mobile_web' || flow === 'mweb'
  if (isPhone && name.startsWith('alipay') && details.choice('os_type', ['ios', 'android']) === undefined) {
    throw invalid(`payment_method.${name}.os_type`, 'must not be empty')
  }
  return { kind: 'wallet', wallet: name, isPhone }
}

function readCard(details: Body): ReadMethod {
  const card = cardOf({
    number: details.required('number'),
    month: details.required('expiry_month'),
    year: details.required('expiry_year'),
    name: details.text('name') ?? '',
  })
  if (card === null) throw invalid('payment_method.card.number', 'is not a card number')
  if (!/^(0[1-9]|1[0-2])$/.test(card.month) || !/^\d{4}$/.test(card.year)) {
    throw invalid('payment_method.card.expiry_month', 'and expiry_year must be MM and YYYY')
  }
  return { kind: 'card', card, hasCvc: details.text('cvc') !== undefined }
}

export function requireCurrency(wallet: string, currency: string): void {
  const { currencies = null } = METHOD_TYPES.find(({ name }) => name === wallet) ?? {}
  if (currencies === null || currencies.includes(currency)) return
  throw new ApiError(400, 'currency_not_supported', `${wallet} does not support ${currency}`, {
    source: 'currency',
  })
}

export function shownMethod(method: ReadMethod): Readonly<Record<string, unknown>> {
  if (method.kind === 'card') return { type: 'card', card: shownCard(method.card) }
  return { type: method.wallet, [method.wallet]: { flow: method.isPhone ? 'mobile_web' : 'qrcode' } }
}

/** What the payer is shown; addresses lead to the twin's own page of the payer (`payer-page.ts`). */
export function walletAction({
  wallet,
  isPhone,
  id,
  origin,
}: {
  readonly wallet: string
  readonly isPhone: boolean
  readonly id: string
  readonly origin: string
}): NextAction {
  const url = `${origin}/payer/${id}?secret=${randomText(12)}`
  if (isPhone) return { type: 'redirect', method: 'GET', url }
  if (wallet === 'wechatpay') return { type: 'render_qrcode', qrcode: `weixin://wxpay/bizpayurl?pr=${id}` }
  if (wallet === 'fps') return { type: 'render_qrcode', qrcode: fpsCode(id) }
  return { type: 'render_qrcode', qrcode: `https://qr.example/${wallet}/${id}`, url }
}

/** An EMVCo text whose reference is the id, closed by its CRC (CCITT-FALSE). */
function fpsCode(id: string): string {
  const reference = id.slice(0, 25)
  const text = `000201${tag('26', tag('00', 'hk.com.hkicl') + tag('02', '1234567'))}5204000053033445802HK${tag('62', tag('05', reference))}6304`
  return text + crc(text)
}

function tag(name: string, value: string): string {
  return name + String(value.length).padStart(2, '0') + value
}

function crc(text: string): string {
  let register = 0xffff
  for (const byte of Buffer.from(text)) {
    register ^= byte << 8
    for (let bit = 0; bit < 8; bit++) {
      register = (register & 0x8000) === 0 ? register << 1 : (register << 1) ^ 0x1021
      register &= 0xffff
    }
  }
  return register.toString(16).toUpperCase().padStart(4, '0')
}

export function cardAction(
  { three_d_secure: form }: Settings,
  { id, origin }: { readonly id: string; readonly origin: string },
): NextAction {
  const secret = randomText(12)
  const url = `${origin}/payer/${id}?secret=${secret}`
  if (form === 'redirect') return { type: form, method: 'GET', url, stage: 'WAITING_USER_INFO_INPUT' }
  return { type: form, method: 'POST', url, data: { secret, encodedData: randomText(24) } }
}
