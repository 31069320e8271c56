import { ControlError, readText } from '../common/control.ts'
import { jsonReply, type TwinReply, type TwinRequest } from '../common/server.ts'
import { payerEnds } from './customers.ts'
import { decideDispute, escalateDispute, openDispute, STAGES } from './disputes.ts'
import { ApiError } from './errors.ts'
import { cancelByHand, failCapture } from './intents.ts'
import { failRefund } from './refunds.ts'
import type { Settings } from './settings.ts'
import { type Planted, settle } from './settlements.ts'
import type { AccountStore, Dispute, TableName, Tx } from './store.ts'

export interface Controlled {
  readonly accounts: ReadonlyMap<string, AccountStore>
  change<Result>(account: string, work: (tx: Tx) => Result): Promise<Result>
  settings(): Settings
  putSettings(given: Readonly<Record<string, unknown>>): Promise<Settings>
  logins(): number
  endTokens(): void
}

/** Acts as the bank, as Airwallex and as the payer in the app. Undefined for an unknown route. */
export async function control(request: TwinRequest, twin: Controlled): Promise<TwinReply | undefined> {
  try {
    const result = await controlled(request, twin)
    return result === undefined ? undefined : jsonReply(200, result)
  } catch (error) {
    if (error instanceof ApiError) throw new ControlError(error.message)
    throw error
  }
}

async function controlled(request: TwinRequest, twin: Controlled): Promise<object | undefined> {
  const text = request.body.toString()
  const changeOf = <Result>(table: TableName, member: string, work: (tx: Tx, id: string) => Result) => {
    const id = readText(JSON.parse(text) as Record<string, unknown>, member) ?? ''
    const [account] = [...twin.accounts].find(([, store]) => store.rows(table).has(id)) ?? []
    if (account === undefined) throw new ControlError(`${member} names nothing`)
    return twin.change(account, (tx) => work(tx, id))
  }
  switch (`${request.method} ${request.path}`) {
    case 'PUT /_twin/settings':
      return twin.putSettings(JSON.parse(text) as Record<string, unknown>)
    case 'GET /_twin/logins':
      return { logins: twin.logins() }
    case 'POST /_twin/end_tokens':
      twin.endTokens()
      return {}
    case 'POST /_twin/settle': {
      const batches: object[] = []
      for (const account of twin.accounts.keys()) {
        batches.push(...(await twin.change(account, (tx) => settle(tx, twin.settings(), plantedIn(text)))))
      }
      return { batches }
    }
    case 'POST /_twin/cancel':
      return changeOf('intent', 'intent', cancelByHand)
    case 'POST /_twin/fail_capture':
      return changeOf('intent', 'intent', failCapture)
    case 'POST /_twin/fail_refund':
      return changeOf('refund', 'refund', failRefund)
    case 'POST /_twin/consent': {
      const status = choice(text, 'status', ['DISABLED', 'PAUSED', 'VERIFIED'] as const)
      return changeOf('consent', 'consent', (tx, id) => payerEnds(tx, id, status))
    }
    case 'POST /_twin/disputes': {
      const stage = choice(text, 'stage', STAGES)
      const reason = readText(JSON.parse(text) as Record<string, unknown>, 'reason') ?? 'FRAUD'
      return changeOf('intent', 'intent', (tx, id) => openDispute(tx, id, { stage, reason }))
    }
    case 'POST /_twin/disputes/decide': {
      const status = choice(text, 'status', DECISIONS)
      return changeOf('dispute', 'dispute', (tx, id) => decideDispute(tx, id, status))
    }
    case 'POST /_twin/disputes/escalate':
      return changeOf('dispute', 'dispute', escalateDispute)
    default:
      return undefined
  }
}

function plantedIn(text: string): Planted {
  return text === '' ? {} : (JSON.parse(text) as Planted)
}

const DECISIONS: readonly Dispute['status'][] = [
  'WON',
  'LOST',
  'REVERSED',
  'PENDING_DECISION',
  'PENDING_CLOSURE',
]

function choice<Choice extends string>(text: string, name: string, choices: readonly Choice[]): Choice {
  const body = JSON.parse(text) as Record<string, unknown>
  const found = choices.find((one) => one === body[name])
  if (found === undefined) throw new ControlError(`${name} must be one of ${choices.join(', ')}`)
  return found
}
