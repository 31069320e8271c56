import type { ConnectedAcquirer } from '../../port/adapter.ts'
import type { Reply } from '../../port/disputes.ts'
import type { WalletName } from '../../port/port.ts'
import { TYPES } from '../payments/methods.ts'
import type { AirwallexClient } from '../wire/airwallex-client.ts'
import { listOf, membersOf, textOf } from '../wire/members.ts'
import { failedReply, unreadable } from './replies.ts'

const PAGE = 100
/** Ends a list whose last page never comes. */
const MAX_PAGES = 20

type Opened = Extract<Awaited<ReturnType<NonNullable<ConnectedAcquirer['opened']>>>, { kind: 'ok' }>['value']

/** What Airwallex has opened for the account: each method once for single payments, and once for recurring ones. */
export async function openedMethods(client: AirwallexClient): Promise<Reply<Opened>> {
  const oneOff = await openedIn(client, 'oneoff')
  if (oneOff.kind !== 'ok') return oneOff
  const recurring = await openedIn(client, 'recurring')
  if (recurring.kind !== 'ok') return recurring
  return { kind: 'ok', value: [...oneOff.value, ...recurring.value] }
}

/** Recurring payments by wallet are opened apart from single ones, and on request only. */
export async function takesAgreements(client: AirwallexClient, wallet: WalletName): Promise<Reply<boolean>> {
  const opened = await openedIn(client, 'recurring')
  if (opened.kind !== 'ok') return opened
  return { kind: 'ok', value: opened.value.some(({ name }) => name === TYPES[wallet]) }
}

async function openedIn(client: AirwallexClient, mode: 'oneoff' | 'recurring'): Promise<Reply<Opened>> {
  const found: Opened[number][] = []
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = {
      active: 'true',
      transaction_mode: mode,
      page_num: String(page),
      page_size: String(PAGE),
    }
    const answer = await client.get('/pa/config/payment_method_types', query)
    if (answer.kind !== 'ok') return failedReply(answer)
    if (!Array.isArray(answer.object.items)) return unreadable()
    for (const one of listOf(answer.object.items).map(membersOf)) {
      const name = textOf(one.name)
      const isOther = one.transaction_mode !== undefined && one.transaction_mode !== mode
      if (name === null || one.active === false || isOther) continue
      const currencies = listOf(one.transaction_currencies).flatMap((each) => textOf(each) ?? [])
      found.push({ name, isRecurring: mode === 'recurring', currencies })
    }
    if (answer.object.has_more !== true) break
  }
  return { kind: 'ok', value: found }
}
